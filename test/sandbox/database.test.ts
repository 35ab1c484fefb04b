// Tests the imitated databases with the runner that calls the real ones.
import { describe, expect, it } from "vitest";
import { SANDBOX, sandboxed } from "./sandboxed.ts";

const { perform, script, arrived } = sandboxed();

const settings = { protocol: "d1", accountId: "acc", databaseId: "crm" };
const accounts = [
  ["D1", "/d1/client/v4/accounts/acc/d1/database/crm/query", { baseUrl: `${SANDBOX}/d1`, settings }],
  ["libSQL", "/libsql/v2/pipeline", { baseUrl: `${SANDBOX}/libsql`, settings: { protocol: "libsql" } }],
] as const;

describe.each(accounts)("%s", (_, path, account) => {
  const execute = async (sql: string, { token = "token", key = undefined as string | undefined, params = [7] } = {}) =>
    (await perform("database", { connection: "crm", sql, params }, { ...account, credentials: { token } }, key))
      .outcome;

  it("reads, writes, and records the request", async () => {
    const read = await execute("SELECT ?", { key: `exe_s/read${path}` });
    expect(read).toMatchObject({ ok: true, result: { rows: [{ p1: 7 }], rowsWritten: 0 } });
    expect(await execute("INSERT INTO visits VALUES (?)")).toMatchObject({ ok: true, result: { rowsWritten: 1 } });
    const [request] = await arrived(path);
    expect([request?.key, request?.body]).toEqual([`exe_s/read${path}`, expect.stringContaining("SELECT ?")]);
  });

  it("refuses as the real database does", async () => {
    const wrong = await execute("SELECT 1", { token: "wrong" });
    expect(wrong).toMatchObject({ error: { type: "authentication_failed", retryable: false } });
    expect(await execute("INSERT INTO taken VALUES (?)")).toMatchObject({ error: { code: "constraint" } });
    expect(await execute("SELECT * FROM missing")).toMatchObject({ error: { code: "sql_invalid" } });
  });

  it("fails as scripted, attempt by attempt", async () => {
    await script(path, [{ status: 503 }, { drop: true }]);
    const attempt = () => execute("SELECT ?", { key: `exe_s/scripted${path}` });
    expect(await attempt()).toMatchObject({ error: { type: "service_unavailable", retryable: true } });
    expect(await attempt()).toMatchObject({ error: { code: "answer_unreadable", retryable: false } });
    expect(await attempt()).toMatchObject({ ok: true });
    await script(path, []);
  });
});
