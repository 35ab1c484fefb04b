// A tenant's alert channels that are enabled, remembered by the isolate for a few seconds: failures often come in
// numbers, and most tenants' rows are told without any of them being one.
import { openAlertChannels, type StoredAlertChannel } from "#catalog/alert-channels.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Deps } from "../deps.ts";
import { drop, isolateCache, cached } from "../isolate-cache.ts";

const seen = isolateCache<readonly StoredAlertChannel[]>({
  sizeMax: remembered.alertChannels.sizeMax,
  freshMs: () => remembered.alertChannels.freshMs,
  staleMs: () => remembered.alertChannels.staleMs,
});

/** Throws where the catalog does not answer and nothing is remembered. */
export function findAlertChannels(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
): Promise<readonly StoredAlertChannel[]> {
  return cached(seen, tenant, deps.now, () => openAlertChannels(deps.db, tenant));
}

/** For the isolate in which one of them was changed. */
export function forgetAlertChannels(tenant: string): void {
  drop(seen, (_rows, key) => key === tenant);
}
