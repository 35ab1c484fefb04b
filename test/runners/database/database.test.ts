// Tests of the database runner with bound databases: the contract, the bound values, and the meaning of errors.
import { describe, expect, it } from "vitest";
import { runners } from "#runners/registry.ts";
import { runWith } from "#runners/run.ts";
import type { DatabasePort } from "#runners/core/runner.ts";
import { countStatements } from "#runners/database/sql.ts";
import type { JsonObject } from "#schema/json.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { deaf, ticketFor, world } from "#test/runners/world.ts";

const goodConfig = { database: "crm", sql: "UPDATE clients SET seen = ? WHERE id = ?", params: [true, 7] };
const query: DatabasePort["query"] = async () => ({ rows: [], rowsRead: 1, rowsWritten: 1 });

runnerContract(runners.database, { goodConfig, answer: null, ports: { databases: { crm: { query } } } });

async function execute(config: JsonObject, how: DatabasePort["query"] = query) {
  const asked: unknown[] = [];
  const databases = {
    crm: {
      query: (sql: string, params: readonly (string | number | null)[]) => (
        asked.push([sql, params]),
        how(sql, params)
      ),
    },
  };
  const outcome = await runWith(
    runners.database,
    ticketFor("database", { ...goodConfig, ...config }),
    world(deaf, { databases }),
  );
  return { outcome, asked };
}

it("binds its values and reports the rows read and written", async () => {
  const params = [true, "x'; DROP TABLE clients", 1.5, null, [1], { a: 1 }];
  const { outcome, asked } = await execute({ params }, async () => ({
    rows: [{ id: 7, blob: new ArrayBuffer(2) }, { id: 8 }],
    rowsRead: 9,
    rowsWritten: 0,
  }));
  expect(asked).toEqual([[goodConfig.sql, [1, "x'; DROP TABLE clients", 1.5, null, "[1]", '{"a":1}']]]);
  const counts = { rowCount: 2, rowsRead: 9, rowsWritten: 0 };
  expect(outcome).toMatchObject({
    ok: true,
    result: { ...counts, rows: [{ id: 7, blob: "[binary]" }, { id: 8 }] },
    events: [
      {
        type: "database_executed",
        payload: { database: "crm", ...counts, firstRow: { id: 7, blob: "[binary]" }, actionId: "notify" },
      },
    ],
  });
});

it("stores a hundred rows at most, within the size limit, and reports a truncation", async () => {
  const many = (row: object, count: number) =>
    execute({}, async () => ({ rows: Array.from({ length: count }, () => row), rowsRead: count, rowsWritten: 0 }));
  expect((await many({ a: 1 }, 250)).outcome).toMatchObject({ result: { rowCount: 250, truncated: true } });
  const { outcome } = await many({ text: "x".repeat(5_000) }, 10);
  expect(outcome).toMatchObject({ result: { rowCount: 10, truncated: true } });
  expect(JSON.stringify(outcome).length).toBeLessThan(25_000);
  const inChinese = (await many({ text: "租".repeat(5_000) }, 10)).outcome;
  expect(new TextEncoder().encode(JSON.stringify(inChinese)).byteLength).toBeLessThan(35_000);
});

it.each([
  ["D1_ERROR: UNIQUE constraint failed: clients.id: SQLITE_CONSTRAINT", "malformed_request", false, "constraint"],
  ["D1_ERROR: no such table: client: SQLITE_ERROR", "invalid_configuration", false, "sql_invalid"],
  ['D1_ERROR: near "UPDAT": syntax error at offset 0: SQLITE_ERROR', "invalid_configuration", false, "sql_invalid"],
  ["D1_ERROR: Wrong number of parameter bindings for SQL query.", "malformed_request", false, "params_invalid"],
  ["D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'", "malformed_request", false, "params_invalid"],
  ["D1_ERROR: not authorized: SQLITE_AUTH", "authorization_failed", false, "statement_not_allowed"],
  ["D1_ERROR: D1 DB is overloaded. Requests queued for too long.", "service_unavailable", true, "overloaded"],
  ["D1_ERROR: D1 DB reset because its code was updated.", "service_unavailable", true, "reset"],
  ["D1_ERROR: Network connection lost.", "service_unavailable", true, "reset"],
  ["D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.", "service_unavailable", true, "reset"],
  ["something new", "unknown_error", true, "database_error"],
])("reports the error %j as %s (retryable: %s), %s", async (said, type, retryable, code) => {
  const { outcome } = await execute({}, () => Promise.reject(new Error(said)));
  expect(outcome).toMatchObject({ ok: false, error: { type, retryable, code } });
});

it.each(["other", "constructor", "__proto__"])(
  "refuses a database that is not available to actions, such as %s",
  async (database) => {
    const { outcome, asked } = await execute({ database });
    expect([outcome, asked]).toMatchObject([
      { ok: false, error: { type: "invalid_configuration", code: "database_not_open" } },
      [],
    ]);
    const none = await runWith(runners.database, ticketFor("database", goodConfig), world(deaf));
    expect(none).toMatchObject({ ok: false, error: { code: "database_not_open" } });
  },
);

it.each([
  { sql: "DELETE FROM a; DELETE FROM b" },
  { sql: "  ;  " },
  { sql: "-- nothing" },
  { params: Array.from({ length: 101 }, () => 1) },
])("refuses %j", async (config) => {
  const { outcome, asked } = await execute(config);
  expect([outcome, asked]).toMatchObject([{ ok: false, error: { code: "invalid_config" } }, []]);
});

describe("counting statements", () => {
  it.each([
    ["SELECT 1", 1],
    ["SELECT 1;", 1],
    ["SELECT 1; ; -- end; really", 1],
    ["SELECT 1; SELECT 2", 2],
    ["SELECT ';' , 'it''s; fine'", 1],
    ['SELECT "a;b", `c;d`, [e;f]', 1],
    ["SELECT 1 /* ; DROP TABLE a */", 1],
    ["SELECT 1 -- ; no\n; SELECT 2", 2],
    ["SELECT '; SELECT 2", 1],
    ["SELECT '--'; SELECT 2", 2],
    ["", 0],
  ])("%j has %i", (sql, count) => expect(countStatements(sql)).toBe(count));
});
