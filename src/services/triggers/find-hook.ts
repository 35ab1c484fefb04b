// The trigger that a genuine token opens, remembered by the isolate: a delivery waits for D1 only where its trigger is new
// to the isolate, and goes on with what is known while D1 does not answer.
import { findTrigger, type StoredTrigger } from "#catalog/triggers.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Deps } from "../deps.ts";
import { cached, drop, isolateCache } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";

const known = isolateCache<StoredTrigger | null>({
  sizeMax: remembered.triggers.sizeMax,
  freshMs: () => remembered.triggers.freshMs,
  staleMs: (row) => (row === null ? 0 : remembered.triggers.staleMs),
});

/** null: it was deleted. Throws where the catalog does not answer and nothing is remembered. */
export function findHook(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
  trigger: string,
): Promise<StoredTrigger | null> {
  const look = () => withTimeLimit(remembered.triggers.lookMs, findTrigger(deps.db, tenant, trigger));
  return cached(known, `${tenant}\n${trigger}`, deps.now, look);
}

/** For the isolate in which one of them was changed. */
export function forgetTriggers(tenant: string): void {
  drop(known, (_row, key) => key.startsWith(`${tenant}\n`));
}
