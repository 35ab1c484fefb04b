// Finds the connection that an action's runner would use: the one that the config names, or the tenant's only one for
// the provider. test/runners/rehearsal/ compares this table with the runners.
import { assert } from "#kernel/assert.ts";
import type { Run } from "#schema/engine/run.ts";
import type { JsonObject } from "#schema/json.ts";

export type RequestedConnection = { readonly name: string | null; readonly provider: string };

/** Returns the connection that a config names or implies; null if the action uses none. */
export function requestedConnection(type: string, config: JsonObject): RequestedConnection | null {
  const at = (provider: string): RequestedConnection => ({ name: text(config["connection"]), provider });
  switch (type) {
    case "api_call": {
      const name = text(config["service"]);
      return name === null ? null : { name, provider: "http" };
    }
    case "database":
      return text(config["connection"]) === null ? null : at("database");
    case "email":
    case "push":
      return config["provider"] === "cloudflare" ? null : at(text(config["provider"]) ?? "");
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
/** If an action requests this provider, a connection of any provider matches. */
const GENERIC_PROVIDER = "http";

/** Returns the connection that an attempt would use. null if no connection matches, or if several do. */
export function matchConnection<One extends Named>(
  connections: readonly One[],
  { name, provider }: RequestedConnection,
): One | null {
  const matching = connections.filter((each) => (name === null ? each.provider === provider : each.name === name));
  const [connection, second] = matching;
  if (connection === undefined || second !== undefined) return null;
  return connection.provider === provider || provider === GENERIC_PROVIDER ? connection : null;
}
