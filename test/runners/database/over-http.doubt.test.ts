// Tests of the database runner's doubtful errors: whether the statement may have run, by the error's text.
import { expect, it } from "vitest";
import { performed } from "#test/runners/perform.ts";
import { jsonResponse } from "#test/runners/world.ts";

const credentials = { token: "token-of-the-database" };
const d1 = { credentials, settings: { protocol: "d1", accountId: "acc1", databaseId: "db-1" } };
const libsql = { credentials, baseUrl: "https://crm.example.com/", settings: { protocol: "libsql" } };
const saying = (message: string, code: number) => ({ success: false, errors: [{ code, message }], result: [] });
const tooLarge = { type: "error", error: { message: "Response is too large", code: "RESPONSE_TOO_LARGE" } };

it.each<[string, object, object, number, "unknown" | undefined]>([
  ["a reset", d1, saying("D1 DB reset because its code was updated.", 7500), 500, "unknown"],
  ["a lost connection, with a 200", d1, saying("Network connection lost.", 7500), 200, "unknown"],
  ["a statement out of time", d1, saying("D1 DB storage operation exceeded timeout", 7429), 400, "unknown"],
  ["an answer that is too large", libsql, { results: [tooLarge] }, 200, "unknown"],
  ["new words with a 200", d1, saying("something new", 1), 200, "unknown"],
  ["a bad token with a 200", d1, saying("Authentication error", 10000), 200, undefined],
  ["a queue that is full", d1, saying("D1 DB is overloaded.", 7429), 429, undefined],
  ["a constraint", d1, saying("UNIQUE constraint failed: a.id", 7500), 400, undefined],
])("tells for %s whether the statement may have run", async (_, account, body, status, effect) => {
  const config = { connection: "crm", sql: "UPDATE clients SET seen = 1" };
  const { outcome } = await performed("database", config, () => jsonResponse(body, { status }), { account });
  expect(outcome.ok ? null : outcome.error.effect).toBe(effect);
});
