// How long the recent attempts of actions took, as this isolate has seen: in memory, for each tenant's action. The consumer
// of the queue for short actions asks before it claims.
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

/** An attempt counts as long as soon as it has taken so long. One that was held was none. */
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
