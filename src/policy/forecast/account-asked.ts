// Which connection an action's runner opens, read off its config: the one that is named, or the tenant's only one for the
// provider. What is said here of each type is held against the runners by test/runners/rehearsal/.
import { assert } from "#kernel/assert.ts";
import type { Run } from "#schema/engine/run.ts";
import type { JsonObject } from "#schema/json.ts";

export type AccountAsked = { readonly name: string | null; readonly provider: string };

/** null: it opens none. */
export function accountAsked(type: string, config: JsonObject): AccountAsked | null {
  const at = (provider: string): AccountAsked => ({ name: text(config["connection"]), provider });
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
  return null; // no other type opens a connection
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** What is under way was rendered when it was claimed. */
export function configOf({ config, id }: Run): JsonObject {
  assert(config, `run ${id} is under way and has its config`);
  return config;
}

type Named = { readonly name: string; readonly provider: string };
/** What any provider's connection will do for. */
const GENERIC = "http";

/** As an attempt finds it; null where it would find none, or more than one. */
export function accountAmong<One extends Named>(known: readonly One[], { name, provider }: AccountAsked): One | null {
  const found = known.filter((each) => (name === null ? each.provider === provider : each.name === name));
  const [one, another] = found;
  if (one === undefined || another !== undefined) return null;
  return one.provider === provider || provider === GENERIC ? one : null;
}
