// SELECT 1 on a database that is reached over HTTP: shows that the address, the database and the token are right.
import type { ConnectionSettings } from "#schema/connection.ts";
import { databaseSettings, type DatabaseSettings } from "#schema/provider/database.ts";
import type { OutboundCall } from "#schema/provider/outbound.ts";

type Probe = Pick<OutboundCall, "method" | "url" | "headers" | "body">;

const SQL = "SELECT 1";

/** null: the settings do not say which database, or libSQL has no address. */
export function databaseProbe({ baseUrl, settings }: ConnectionSettings, token: string): Probe | null {
  const parsed = databaseSettings.safeParse(settings ?? {});
  const asked = parsed.success ? askedOf(parsed.data, baseUrl?.replace(/\/+$/, "")) : null;
  if (asked === null) return null;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return { method: "POST", url: asked.url, headers, body: JSON.stringify(asked.body) };
}

function askedOf(settings: DatabaseSettings, base: string | undefined): { url: string; body: object } | null {
  switch (settings.protocol) {
    case "d1": {
      const { accountId, databaseId } = settings;
      const path = `/client/v4/accounts/${accountId}/d1/database/${databaseId}/query`;
      return { url: (base ?? "https://api.cloudflare.com") + path, body: { sql: SQL } };
    }
    case "libsql": {
      const requests = [{ type: "execute", stmt: { sql: SQL } }, { type: "close" }];
      return base === undefined ? null : { url: `${base}/v2/pipeline`, body: { requests } };
    }
  }
}
