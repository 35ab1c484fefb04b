// Recent durations: stores in this isolate's memory which actions' last attempts were slow. The consumer of the queue
// for short actions reads this before it claims a run.
import { afterAttempt, isSlowLately, type RecentDurations } from "#policy/gates/recent-durations.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { LONG_ATTEMPT_MS } from "#schema/limits/run-attempts.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "../deps.ts";

type TimeDeps = Pick<Deps, "now">;
type OfAction = { readonly tenant: string; readonly action: string };

const durationsByAction = new Map<string, RecentDurations>();

export function wasSlowLately({ now }: TimeDeps, action: OfAction): boolean {
  return isSlowLately(durationsByAction.get(keyOf(action)), now());
}

/**
 * Runs an attempt and records whether it was slow. The attempt counts as slow once it has taken LONG_ATTEMPT_MS, even
 * if it is still running. A held run is not counted, because no attempt was made.
 */
export async function recordAttemptDuration(
  deps: TimeDeps,
  ticket: Ticket,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  let isLong = false;
  const timer = setTimeout(() => {
    isLong = true;
    recordDuration(deps, ticket, true);
  }, LONG_ATTEMPT_MS);
  try {
    const outcome = await run();
    if (!isLong && (outcome.ok || outcome.held === undefined)) recordDuration(deps, ticket, false);
    return outcome;
  } finally {
    clearTimeout(timer);
  }
}

function recordDuration({ now }: TimeDeps, action: OfAction, isLong: boolean): void {
  const key = keyOf(action);
  const before = durationsByAction.get(key);
  durationsByAction.delete(key);
  durationsByAction.set(key, afterAttempt(before, isLong, now()));
  const [oldest] = durationsByAction.keys();
  if (durationsByAction.size > isolateCaches.durations.sizeMax && oldest !== undefined)
    durationsByAction.delete(oldest);
}

function keyOf({ tenant, action }: OfAction): string {
  return `${tenant}/${action}`;
}
