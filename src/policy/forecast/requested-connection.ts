// Finds the connection that an action's runner would use: the one that the config names, or the tenant's only one for
// the provider. test/runners/rehearsal/ compares this table with the runners.
import { assert } from "#kernel/assert.ts";
import type { Run } from "#schema/engine/run.ts";
import type { JsonObject } from "#schema/json.ts";
import { isUsable, MAIL_PROVIDER } from "#schema/provider/providers.ts";

export type RequestedConnection = { readonly name: string | null; readonly provider: string };

/** Returns the connection that a config names or implies; null if the action uses none. */
export function requestedConnection(type: string, config: JsonObject): RequestedConnection | null {
  const at = (provider: string): RequestedConnection => ({ name: text(config["connection"]), provider });
  switch (type) {
    case "api_call":
      return config["url"] === undefined ? { name: text(config["service"]), provider: "http" } : null;
    case "database":
      return config["database"] === undefined ? at("database") : null;
    case "email":
      return config["provider"] === "cloudflare" ? null : at(text(config["provider"]) ?? MAIL_PROVIDER);
    case "push":
      return at(text(config["provider"]) ?? (config["subscription"] === undefined ? "fcm" : "webpush"));
    case "sms":
      return at(text(config["provider"]) ?? "twilio");
    case "slack":
      return at("slack");
    case "docusign_envelope":
    case "docusign_recipient_view":
      return at("docusign");
    case "blockchain_mint":
    case "contract_call":
      return at("evm");
  }
  return null; // Actions of all other types use no connection.
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Returns the config of a run in progress, which always exists. */
export function configOf({ config, id }: Run): JsonObject {
  assert(config, `the run ${id} in progress must have a config`);
  return config;
}

type Named = { readonly name: string; readonly provider: string };

/** Returns the connection that an attempt would use. null if no connection matches, or if several do. */
export function matchConnection<One extends Named>(
  connections: readonly One[],
  { name, provider }: RequestedConnection,
): One | null {
  const matching = connections.filter(
    (each) => (name === null || each.name === name) && isUsable(provider, each.provider, name !== null),
  );
  const [connection, second] = matching;
  return connection === undefined || second !== undefined ? null : connection;
}
