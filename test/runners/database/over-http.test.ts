// Tests of the database runner over HTTP: the contract for both protocols, the requests, and that answers and errors
// equal those of bound databases.
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import type { JsonObject } from "#schema/json.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { performed } from "#test/runners/perform.ts";
import { sentJson } from "#test/runners/published.ts";
import { jsonResponse, type Answer } from "#test/runners/world.ts";

const goodConfig = { connection: "crm", sql: "UPDATE clients SET seen = ? WHERE id = ?", params: [true, 7] };
const withCredentials = (secret: string) => ({ token: secret });
const credentials = { token: "token-of-the-database" };

const d1 = { credentials, settings: { protocol: "d1", accountId: "acc1", databaseId: "db-1" } };
const d1Result = (results: object[], meta: object = {}) =>
  jsonResponse({ success: true, errors: [], result: [{ results, success: true, meta }] });
const d1Error = (message: string, code = 7500, status = 400) =>
  jsonResponse({ success: false, errors: [{ code, message }], result: [] }, { status });

const libsql = { credentials, baseUrl: "https://crm.example.com/", settings: { protocol: "libsql" } };
const libsqlResult = (result: object) =>
  jsonResponse({ results: [{ type: "ok", response: { type: "execute", result } }] });
const libsqlError = (message: string, code: string) =>
  jsonResponse({
    results: [
      { type: "error", error: { message, code } },
      { type: "ok", response: { type: "close" } },
    ],
  });
const nothing = { cols: [], rows: [], affected_row_count: 1, last_insert_rowid: "7" };

describe("on D1's API", () => {
  runnerContract(runners.database, { goodConfig, answer: () => d1Result([]), connection: d1, withCredentials });
});
describe("on libSQL", () => {
  const answer = () => libsqlResult(nothing);
  runnerContract(runners.database, { goodConfig, answer, connection: libsql, withCredentials });
});

const execute = (account: object, answer: Answer, config: JsonObject = {}) =>
  performed("database", { ...goodConfig, ...config }, answer, { account });
const params = [true, "x'; DROP TABLE clients", 1.5, null, [1], 1e300];

it("sends D1's API bound values, and reports the rows read and written", async () => {
  const answer = () => d1Result([{ id: 7 }, { id: 8 }], { rows_read: 9, rows_written: 2, changes: 1, duration: 0.2 });
  const { outcome, request, url, opened } = await execute(d1, answer, { params });
  expect(opened).toEqual([{ name: "crm", provider: "database" }]);
  expect(url).toBe("https://api.cloudflare.com/client/v4/accounts/acc1/d1/database/db-1/query");
  expect(request?.headers.get("authorization")).toBe("Bearer token-of-the-database");
  const bound = [1, "x'; DROP TABLE clients", 1.5, null, "[1]", 1e300];
  expect(await sentJson(request)).toEqual({ sql: goodConfig.sql, params: bound });
  const counts = { rowCount: 2, rowsRead: 9, rowsWritten: 2 };
  const payload = { database: "crm", ...counts, firstRow: { id: 7 }, actionId: "notify" };
  expect(outcome).toMatchObject({
    ok: true,
    result: { ...counts, rows: [{ id: 7 }, { id: 8 }] },
    events: [{ type: "database_executed", payload }],
    metadata: { connection: "crm" },
  });
});

it("sends libSQL typed values, and reads typed values", async () => {
  const cells = [
    { type: "integer", value: "7" },
    { type: "integer", value: "9223372036854775807" },
    { type: "float", value: 0.5 },
    { type: "text", value: "Ada" },
    { type: "null" },
    { type: "blob", base64: "AAA=" },
  ];
  const cols = ["id", "big", "half", "name", "none"].map((name) => ({ name, decltype: null }));
  const answer = () => libsqlResult({ ...nothing, cols: [...cols, { name: null }], rows: [cells] });
  const { outcome, request, url } = await execute(libsql, answer, { params });
  expect(url).toBe("https://crm.example.com/v2/pipeline");
  expect(request?.headers.get("authorization")).toBe("Bearer token-of-the-database");
  const args = [
    { type: "integer", value: "1" },
    { type: "text", value: "x'; DROP TABLE clients" },
    { type: "float", value: 1.5 },
    { type: "null" },
    { type: "text", value: "[1]" },
    { type: "float", value: 1e300 },
  ];
  const stmt = { sql: goodConfig.sql, args };
  expect(await sentJson(request)).toEqual({ requests: [{ type: "execute", stmt }, { type: "close" }] });
  const row = { id: 7, big: "9223372036854775807", half: 0.5, name: "Ada", none: null, column6: "[binary]" };
  const counts = { rowCount: 1, rowsRead: null, rowsWritten: 1 };
  expect(outcome).toMatchObject({
    ok: true,
    result: { ...counts, rows: [row] },
    events: [{ type: "database_executed", payload: { database: "crm", ...counts, firstRow: row } }],
  });
  const newer = await execute(libsql, () => libsqlResult({ ...nothing, rows_read: 3, rows_written: 2 }));
  expect(newer.outcome).toMatchObject({ result: { rowsRead: 3, rowsWritten: 2 } });
});

it("stores a hundred rows of a long answer, and reports an answer that is too long", async () => {
  const many = (count: number, text: string) =>
    execute(d1, () => d1Result(Array.from({ length: count }, () => ({ text }))));
  const { outcome } = await many(5_000, "x".repeat(50));
  expect(outcome).toMatchObject({ ok: true, result: { rowCount: 5_000, truncated: true } });
  const error = { type: "unknown_error", retryable: false, code: "answer_too_large" };
  expect((await many(5_000, "x".repeat(1_000))).outcome).toMatchObject({ ok: false, error });
});

type Row = readonly [answer: string, how: Answer, type: string, retryable: boolean, code: string];
const d1Rows: Row[] = [
  [
    "a constraint",
    () => d1Error("UNIQUE constraint failed: a.id: SQLITE_CONSTRAINT"),
    "malformed_request",
    false,
    "constraint",
  ],
  ["no such table", () => d1Error("no such table: a: SQLITE_ERROR"), "invalid_configuration", false, "sql_invalid"],
  [
    "wrong bindings",
    () => d1Error("Wrong number of parameter bindings for SQL query."),
    "malformed_request",
    false,
    "params_invalid",
  ],
  [
    "not authorized",
    () => d1Error("not authorized: SQLITE_AUTH"),
    "authorization_failed",
    false,
    "statement_not_allowed",
  ],
  [
    "overloaded",
    () => d1Error("D1 DB is overloaded. Requests queued for too long.", 7429, 429),
    "service_unavailable",
    true,
    "overloaded",
  ],
  [
    "a reset",
    () => d1Error("D1 DB reset because its code was updated.", 7500, 500),
    "service_unavailable",
    true,
    "reset",
  ],
  [
    "a query that took too long",
    () => d1Error("D1 DB storage operation exceeded timeout", 7429, 400),
    "service_unavailable",
    true,
    "overloaded",
  ],
  ["a no with a 200", () => d1Error("database is locked", 7500, 200), "service_unavailable", true, "reset"],
  ["a bad token", () => d1Error("Authentication error", 10000, 401), "authentication_failed", false, "token_invalid"],
  [
    "a bad token with a 400",
    () => d1Error("Invalid request headers", 6003, 400),
    "authentication_failed",
    false,
    "token_invalid",
  ],
  [
    "a bad token with a 200",
    () => d1Error("Authentication error", 10000, 200),
    "authentication_failed",
    false,
    "token_invalid",
  ],
  [
    "another's account",
    () => d1Error("The given account is not valid or is not authorized to access this service", 7403, 403),
    "authorization_failed",
    false,
    "account_not_allowed",
  ],
  [
    "no such database",
    () => d1Error("The database db-1 could not be found", 7404, 404),
    "not_found",
    false,
    "database_not_found",
  ],
  ["new words", () => d1Error("something new"), "malformed_request", false, "http_400"],
  ["new words with a 200", () => d1Error("something new", 1, 200), "unknown_error", true, "database_error"],
  ["nothing that makes sense", () => jsonResponse({ success: true }), "unknown_error", false, "answer_unreadable"],
];
it.each(d1Rows)("reports D1's %s by its meaning", async (_, how, type, retryable, code) => {
  const { outcome } = await execute(d1, how);
  expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code } });
});

const libsqlRows: Row[] = [
  [
    "a constraint",
    () => libsqlError("SQLite error: UNIQUE constraint failed: a.id", "SQLITE_CONSTRAINT_PRIMARYKEY"),
    "malformed_request",
    false,
    "constraint",
  ],
  [
    "no such table",
    () => libsqlError("SQLite error: no such table: a", "SQLITE_UNKNOWN"),
    "invalid_configuration",
    false,
    "sql_invalid",
  ],
  [
    "bad SQL",
    () => libsqlError("SQL string could not be parsed", "SQL_PARSE_ERROR"),
    "invalid_configuration",
    false,
    "sql_invalid",
  ],
  [
    "bad arguments",
    () => libsqlError("Arguments do not match", "ARGS_INVALID"),
    "malformed_request",
    false,
    "params_invalid",
  ],
  [
    "a blocked write",
    () => libsqlError("SQL write operations are forbidden", "BLOCKED"),
    "authorization_failed",
    false,
    "statement_not_allowed",
  ],
  [
    "a busy database",
    () => libsqlError("SQLite error: database is locked", "SQLITE_BUSY"),
    "service_unavailable",
    true,
    "reset",
  ],
  [
    "too long an answer",
    () => libsqlError("Response is too large", "RESPONSE_TOO_LARGE"),
    "malformed_request",
    false,
    "answer_too_large",
  ],
  [
    "a bad token",
    () => jsonResponse({ error: "Unauthorized" }, { status: 401 }),
    "authentication_failed",
    false,
    "http_401",
  ],
  ["new words", () => libsqlError("something new", "NEW"), "unknown_error", true, "database_error"],
  ["nothing that makes sense", () => jsonResponse({ results: [] }), "unknown_error", false, "answer_unreadable"],
];
it.each(libsqlRows)("reports libSQL's %s by its meaning", async (_, how, type, retryable, code) => {
  const { outcome } = await execute(libsql, how);
  expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code } });
});

it.each([
  [{ ...d1, credentials: {} }, "credential_missing"],
  [{ ...d1, settings: {} }, "settings_invalid"],
  [{ ...d1, settings: { ...d1.settings, protocol: "postgres" } }, "settings_invalid"],
  [{ ...d1, settings: { ...d1.settings, databaseId: ".." } }, "settings_invalid"],
  [{ ...d1, settings: { ...d1.settings, region: "weur" } }, "settings_invalid"],
  [{ ...libsql, baseUrl: null }, "base_url_missing"],
  [{ ...libsql, baseUrl: "https://169.254.169.254" }, "egress_refused"],
])("makes no call with %j: %s", async (account, code) => {
  const { outcome, calls } = await execute(account, () => d1Result([]));
  expect([outcome, calls]).toMatchObject([{ ok: false, error: { type: "invalid_configuration", code } }, []]);
});

it.each([{ database: "crm" }, { sql: "DELETE FROM a; DELETE FROM b" }, { connection: "" }])(
  "refuses %j",
  async (config) => {
    const { outcome, calls } = await execute(d1, () => d1Result([]), config);
    expect([outcome, calls]).toMatchObject([{ ok: false, error: { code: "invalid_config" } }, []]);
  },
);
