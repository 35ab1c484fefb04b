// Database runner: executes one statement with bound parameters. The database is bound to the Worker or called over
// HTTP; the results have the same form.
import { z } from "zod";
import { json } from "#schema/json.ts";
import { attemptMs } from "#schema/defaults.ts";
import { queryBound } from "./bound.ts";
import { queryRemote } from "./over-http.ts";
import { toBoundValue, storableRows } from "./rows.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { Runner } from "../core/runner.ts";
import { countStatements } from "./sql.ts";

/** D1's limit of parameters per statement. */
const PARAMS_MAX = 100;

const databaseConfig = z
  .strictObject({
    /** The name under which definitions use a database that is bound to the Worker. */
    database: z.string().min(1).optional(),
    /**
     * The name of a connection to a database over HTTP. Default without `database`: the tenant's only connection for a
     * database.
     */
    connection: z.string().min(1).optional(),
    sql: z
      .string()
      .min(1)
      .max(100_000)
      .refine((sql) => countStatements(sql) === 1, { message: "must be a single statement; put values into params" }),
    /** The values for `?`, in order. Lists and objects are bound as JSON, booleans as 1 and 0. */
    params: z.array(json).max(PARAMS_MAX).default([]),
  })
  .refine(({ database, connection }) => database === undefined || connection === undefined, {
    message: 'must name a bound database ("database") or a connection ("connection"), but not both',
  });
type DatabaseConfig = z.infer<typeof databaseConfig>;

export const database: Runner<DatabaseConfig> = {
  type: "database",
  config: databaseConfig,
  permissions: ["database:execute"],
  // Whether a repeated statement is harmless depends on the statement. Neither D1's API nor libSQL's API has
  // idempotency keys, so after a lost answer it is unknown whether the statement ran.
  repeats: { mode: "none" },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: async (config, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { database, connection, sql, params } = config;
    const statement = { sql, params: params.map(toBoundValue) };
    const queried = await (database === undefined
      ? queryRemote(connection, statement, context)
      : queryBound(database, statement, context));
    const name = queried.ok ? queried.name : (database ?? connection ?? null);
    const metadata = database === undefined ? { connection: name } : { database: name };
    if (!queried.ok) return failureOutcome(queried.failure, span(), metadata);
    const { rows, rowsRead, rowsWritten } = queried.answer;
    const storedRows = storableRows(rows);
    const counts = { rowCount: rows.length, rowsRead, rowsWritten };
    const result = { ...counts, rows: storedRows, ...(storedRows.length < rows.length ? { truncated: true } : {}) };
    const payload = { database: name, ...counts, firstRow: storedRows[0] ?? null, actionId: context.ticket.action };
    return successOutcome({ result, events: [{ type: "database_executed", payload }] }, span(), metadata);
  },
};
