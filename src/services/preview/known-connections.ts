// Connection limits for virtual runs: the limits of the stored connections, overridden by the limits in the request.
import type { ConnectionSettings } from "#schema/connection.ts";
import { quotas } from "#schema/limits/tenants/tenant-quotas.ts";
import type { Finding } from "#schema/refusal.ts";
import type { KnownConnection } from "#schema/virtual/forecast.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { termsOf } from "../connections/connection-terms.ts";
import { listConnections } from "../connections/connections.ts";

/**
 * Assumed limits by connection name; null: the connection has no limits. `provider` is required if no stored connection
 * has this name.
 */
export type AssumedLimits = {
  readonly [name: string]:
    | (Pick<ConnectionSettings, "rateLimit" | "concurrency" | "breaker"> & { readonly provider?: string | undefined })
    | null;
};
export type KnownConnections =
  | { readonly ok: true; readonly connections: readonly KnownConnection[] }
  | { readonly ok: false; readonly findings: readonly Finding[] };

export async function knownConnections(
  deps: Deps,
  caller: TenantCaller,
  assumed: AssumedLimits,
): Promise<KnownConnections> {
  const stored = new Map<string, KnownConnection>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listConnections>> = await listConnections(deps, caller, {
      provider: null,
      cursor,
      limit: PAGE_SIZE,
    });
    if (!page.ok) break;
    for (const { name, provider, settings } of page.value.data) {
      stored.set(name, { name, provider, terms: termsOf(settings) });
    }
    cursor = page.value.nextCursor;
  } while (cursor !== null && stored.size < quotas.connections * DEFAULT_LIMIT_TIMES);
  const findings: Finding[] = [];
  for (const [name, limits] of Object.entries(assumed)) {
    const provider = limits?.provider ?? stored.get(name)?.provider;
    if (provider === undefined) findings.push(unknown(name, [...stored.keys()]));
    else stored.set(name, { name, provider, terms: limits === null ? termsOf({}) : termsOf(limits) });
  }
  return findings.length > 0 ? { ok: false, findings } : { ok: true, connections: [...stored.values()] };
}

const PAGE_SIZE = 100;
/**
 * A tenant may have more connections than the default quota, because the root key can raise it. At most this many times
 * the default number is read.
 */
const DEFAULT_LIMIT_TIMES = 4;

function unknown(name: string, names: readonly string[]): Finding {
  const hint = `Existing connections: ${names.slice(0, 20).join(", ") || "none"}. For a connection that does not exist yet, set "provider".`;
  return { pointer: `/connections/${name}`, code: "unknown_name", message: `there is no connection "${name}"`, hint };
}
