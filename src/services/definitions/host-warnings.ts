// Host-restriction warnings: compares the hosts to which a definition sends its secrets with the hosts that each secret
// allows. Only literal URLs are compared. URLs with templates are checked at each call.
import { placedActions, placeIn } from "#kernel/programs/placed-actions.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { isLoopbackAddress } from "#schema/egress/address.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { Json } from "#schema/json.ts";
import { boundElsewhere } from "#schema/outgoing/bound-secret.ts";
import type { Warning } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { hostRestrictionsOf } from "../secrets/host-restrictions.ts";

export async function hostWarnings(
  deps: Pick<Deps, "db">,
  tenant: string,
  definition: Definition,
): Promise<readonly Warning[]> {
  const used = placedActions(definition).map((placed) => {
    const { config } = placed.action;
    return { placed, secrets: secretsIn(config), hosts: hostsIn(config) };
  });
  const names = [...new Set(used.flatMap(({ secrets, hosts }) => (hosts.length === 0 ? [] : secrets)))];
  const restrictions = await hostRestrictionsOf(deps, tenant, names);
  return used.flatMap(({ placed, secrets, hosts }) => {
    const ofSecrets = restrictions.filter(({ secret }) => secrets.includes(secret));
    return hosts.flatMap(({ path, host }) => {
      const restriction = boundElsewhere(host, ofSecrets);
      return restriction === null
        ? []
        : [warning(jsonPointer(placeIn(definition, placed, ["config", ...path])), host, restriction)];
    });
  });
}

/**
 * Warns of literal URLs that this local engine calls, but that a deployed engine refuses. Loopback addresses are the
 * sandbox of a local engine and get no warning.
 */
export function plainHttpWarnings(
  { allowLoopback }: Pick<Deps, "allowLoopback">,
  definition: Definition,
): readonly Warning[] {
  if (!allowLoopback) return [];
  return placedActions(definition).flatMap((placed) =>
    hostsIn(placed.action.config)
      .filter(({ isPlain, host }) => isPlain && host !== "localhost" && !isLoopbackAddress(host))
      .map(({ path, host }) => ({
        severity: "warning" as const,
        pointer: jsonPointer(placeIn(definition, placed, ["config", ...path])),
        code: "plain_http",
        message: `the URL of ${host} begins with http://, which a deployed engine refuses`,
        fix: "Use an address that begins with https://.",
      })),
  );
}

function warning(
  pointer: string,
  host: string,
  { secret, hosts }: { secret: string; hosts: readonly string[] },
): Warning {
  return {
    severity: "warning",
    pointer,
    code: "secret_host_mismatch",
    message: `the secret ${secret} may only be sent to ${hosts.join(", ")}: a run that uses it will not call ${host}`,
    fix: `Call one of these hosts, or allow ${host} for the secret: PATCH /v1/secrets/${secret}.`,
  };
}

/** Returns the secrets' names that occur anywhere in a config as `{{ secrets.name }}`. */
function secretsIn(value: Json): readonly string[] {
  if (typeof value === "string")
    return [...value.matchAll(/\bsecrets\.([A-Za-z_][A-Za-z0-9_-]*)/g)].map(([, name = ""]) => name);
  if (value === null || typeof value !== "object") return [];
  return Object.values(value).flatMap((item: Json) => secretsIn(item));
}

type WrittenHost = { readonly path: readonly string[]; readonly host: string; readonly isPlain: boolean };

/**
 * Returns the hosts of the URLs in the config and in its authentication. URLs in a payload are data and do not count.
 */
function hostsIn(config: Json, at: readonly string[] = []): readonly WrittenHost[] {
  if (config === null || typeof config !== "object" || Array.isArray(config)) return [];
  return Object.entries(config).flatMap(([field, value]: [string, Json]) => {
    if (field === "authentication") return hostsIn(value, [...at, field]);
    const host = typeof value === "string" && /(?:^u|U)rl$|Endpoint$/.test(field) ? writtenHost(value) : null;
    return host === null ? [] : [{ path: [...at, field], host, isPlain: /^http:/i.test(String(value)) }];
  });
}

/**
 * Returns the host of a literal URL. Returns null if the host contains a template, because it is then known only at
 * each call.
 */
function writtenHost(url: string): string | null {
  const origin = /^https?:\/\/[^/?#\\{}]+(?=[/?#]|$)/i.exec(url)?.[0];
  return origin === undefined || !URL.canParse(origin) ? null : new URL(origin).hostname;
}
