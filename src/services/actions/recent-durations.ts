// Recent durations: whether the last attempts of each action were slow, in this isolate's memory. The consumer of the
// short-action queue reads it before it claims a run.
import { afterAttempt, isSlowLately, type RecentDurations } from "#policy/gates/recent-durations.ts";
import { remembered } from "#schema/limits/isolates.ts";
import { LONG_ATTEMPT_MS } from "#schema/limits/queues.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "../deps.ts";

type TimeDeps = Pick<Deps, "now">;
type OfAction = { readonly tenant: string; readonly action: string };

const known = new Map<string, RecentDurations>();

export function wasSlowLately({ now }: TimeDeps, action: OfAction): boolean {
  return isSlowLately(known.get(keyOf(action)), now());
}

/**
 * Runs an attempt and records whether it was slow. An attempt counts as slow as soon as it has taken LONG_ATTEMPT_MS,
 * even if it is still running. A held attempt does not count.
 */
export async function noteDuration(deps: TimeDeps, ticket: Ticket, run: () => Promise<Outcome>): Promise<Outcome> {
  let isLong = false;
  const timer = setTimeout(() => {
    isLong = true;
    note(deps, ticket, true);
  }, LONG_ATTEMPT_MS);
  try {
    const outcome = await run();
    if (!isLong && (outcome.ok || outcome.held === undefined)) note(deps, ticket, false);
    return outcome;
  } finally {
    clearTimeout(timer);
  }
}

function note({ now }: TimeDeps, action: OfAction, isLong: boolean): void {
  const key = keyOf(action);
  const before = known.get(key);
  known.delete(key);
  known.set(key, afterAttempt(before, isLong, now()));
  const [oldest] = known.keys();
  if (known.size > remembered.durations.sizeMax && oldest !== undefined) known.delete(oldest);
}

function keyOf({ tenant, action }: OfAction): string {
  return `${tenant}/${action}`;
}
