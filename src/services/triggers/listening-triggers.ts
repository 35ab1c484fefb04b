// Listening triggers: finds a tenant's triggers that match a published event. The isolate caches them, so publishing
// waits for D1 only if the tenant is new to the isolate.
import { triggersForEvents } from "#catalog/triggers.ts";
import { LISTENING_TRIGGERS_MAX } from "#schema/limits/inbound/trigger-requests.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { readCached, dropCached, openIsolateCache } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";

const listeningCache = openIsolateCache<Awaited<ReturnType<typeof triggersForEvents>>>({
  sizeMax: isolateCaches.tenants.sizeMax,
  freshMs: () => isolateCaches.triggers.freshMs,
  staleMs: () => isolateCaches.tenants.staleMs,
});

/**
 * Returns the ids of the matching triggers. Refuses the event if the catalog does not answer and nothing is cached,
 * because no trigger may be missed.
 */
export async function listeningTriggerIds(
  deps: Pick<Deps, "db" | "now" | "log">,
  tenant: string,
  type: string,
): Promise<Result<readonly string[]>> {
  try {
    const load = () =>
      withTimeLimit(isolateCaches.triggers.lookMs, triggersForEvents(deps.db, tenant, LISTENING_TRIGGERS_MAX));
    const all = await readCached(listeningCache, tenant, deps.now, load);
    return accept(all.filter((trigger) => trigger.type === type).map(({ id }) => id));
  } catch (cause) {
    deps.log({ level: "error", event: "triggers_not_read", tenant, message: String(cause) });
    return refuse({
      code: "unavailable",
      message: "The catalog does not answer, so matching triggers cannot be looked up.",
      hint: "Send the same request again with the same Idempotency-Key.",
    });
  }
}

/** Evicts the tenant's listening triggers from this isolate's cache after one was changed. */
export function evictListening(tenant: string): void {
  dropCached(listeningCache, (_triggers, key) => key === tenant);
}
