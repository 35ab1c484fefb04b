// Runs one statement on a database that is bound to the Worker, with its values bound and never written into the text.
import { z } from "zod";
import { json, type Json, type JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { configurationFailure, type Failure } from "./classify.ts";
import { failed, succeeded } from "./outcomes.ts";
import type { Runner } from "./runner.ts";
import { statementsIn } from "./sql.ts";

const ROWS_MAX = 100;
/** D1's own limit. */
const PARAMS_MAX = 100;

const databaseConfig = z.strictObject({
  /** By the name it is opened to actions under. */
  database: z.string().min(1),
  sql: z
    .string()
    .min(1)
    .max(100_000)
    .refine((sql) => statementsIn(sql) === 1, { message: "one statement; values go into params" }),
  /** For ?, in order. Lists and objects go in as JSON, booleans as 1 and 0. */
  params: z.array(json).max(PARAMS_MAX).default([]),
});
type DatabaseConfig = z.infer<typeof databaseConfig>;

export const database: Runner<DatabaseConfig> = {
  type: "database",
  config: databaseConfig,
  permissions: ["database:execute"],
  // Whether a repeat changes anything is the statement's own affair: INSERT OR IGNORE under a key does not.
  idempotency: { mode: "none" },
  timeoutMs: 30_000,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { database: name, sql, params } = config;
    const metadata = { database: name };
    const databases = context.databases ?? {};
    const port = Object.hasOwn(databases, name) ? databases[name] : undefined;
    if (port === undefined) {
      const open = Object.keys(databases).join(", ") || "none";
      return failed(
        configurationFailure(`database: ${name} is not open to actions (open: ${open})`, "database_not_open"),
        span(),
        metadata,
      );
    }
    try {
      const { rows, rowsRead, rowsWritten } = await port.query(sql, params.map(bound));
      const kept = keptRows(rows);
      const counts = { rowCount: rows.length, rowsRead, rowsWritten };
      const result = { ...counts, rows: kept, ...(kept.length < rows.length ? { truncated: true } : {}) };
      const payload = { database: name, ...counts, firstRow: kept[0] ?? null, actionId: context.ticket.action };
      return succeeded({ result, events: [{ type: "database_executed", payload }] }, span(), metadata);
    } catch (error) {
      return failed(understood(name, error), span(), metadata);
    }
  },
};

function bound(value: Json): string | number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value !== null && typeof value === "object" ? JSON.stringify(value) : value;
}

/** As many as a run's history has room for. What is no JSON (blobs) is named, not kept. */
function keptRows(rows: readonly unknown[]): JsonObject[] {
  const kept: JsonObject[] = [];
  let room: number = limits.responseBytesKept;
  for (const row of rows.slice(0, ROWS_MAX)) {
    const plain: JsonObject = Object.fromEntries(
      Object.entries(row ?? {}).map(([name, value]) => [name, json.safeParse(value).data ?? blob(value)]),
    );
    room -= JSON.stringify(plain).length;
    if (room < 0) break;
    kept.push(plain);
  }
  return kept;
}

function blob(value: unknown): Json {
  return value === null || value === undefined ? null : "[binary]";
}

/** D1's errors have no codes: what happened is in the message alone, in the words its documentation lists. */
const MEANINGS: readonly (readonly [words: RegExp, type: string, retryable: boolean, code: string])[] = [
  [/constraint failed|SQLITE_CONSTRAINT/i, "malformed_request", false, "constraint"],
  [
    /no such (?:table|column|function)|syntax error|incomplete input|unrecognized token|ambiguous column/i,
    "invalid_configuration",
    false,
    "sql_invalid",
  ],
  [
    /D1_TYPE_ERROR|datatype mismatch|wrong number of parameter|string or blob too big/i,
    "malformed_request",
    false,
    "params_invalid",
  ],
  [/no database bound for actions/, "invalid_configuration", false, "database_not_bound"],
  [/not authorized|SQLITE_AUTH/i, "authorization_failed", false, "statement_not_allowed"],
  [/overloaded|too many requests queued|queued for too long/i, "service_unavailable", true, "overloaded"],
  [
    /reset|connection lost|transient issue|client disconnected|starting up|SQLITE_BUSY|database is locked/i,
    "service_unavailable",
    true,
    "reset",
  ],
];

function understood(name: string, error: unknown): Failure {
  const said = error instanceof Error ? error.message : String(error);
  const [, type, retryable, code] = MEANINGS.find(([words]) => words.test(said)) ?? [
    null,
    "unknown_error",
    true,
    "database_error",
  ];
  return {
    error: { type, retryable, code, message: `the database ${name} refused the statement: ${said.slice(0, 300)}` },
  };
}
