// The harmless query that tests a database connection, in each protocol.
import { expect, it } from "vitest";
import type { ConnectionSettings } from "#schema/connection.ts";
import { probeOf } from "#services/connections/test-connection.ts";

const probe = (settings: ConnectionSettings) =>
  probeOf({ provider: "database", settings, credentials: { token: "t-1" }, token: null });
const d1 = { protocol: "d1", accountId: "acc", databaseId: "crm" };
const path = "/client/v4/accounts/acc/d1/database/crm/query";

it.each([
  [{ settings: d1 }, `https://api.cloudflare.com${path}`, { sql: "SELECT 1" }],
  [{ settings: d1, baseUrl: "https://proxy.example.com/" }, `https://proxy.example.com${path}`, { sql: "SELECT 1" }],
  [
    { settings: { protocol: "libsql" }, baseUrl: "https://crm.example.com" },
    "https://crm.example.com/v2/pipeline",
    { requests: [{ type: "execute", stmt: { sql: "SELECT 1" } }, { type: "close" }] },
  ],
])("%j is queried at %s", (settings, url, body) => {
  const asked = probe(settings);
  expect(asked).toMatchObject({ method: "POST", url, headers: { Authorization: "Bearer t-1" } });
  expect(JSON.parse(String(asked?.body))).toEqual(body);
});

it.each([{}, { settings: { protocol: "d1" } }, { settings: { protocol: "libsql" } }])(
  "%j names too little to be queried",
  (settings) => expect(probe(settings)).toBeNull(),
);
