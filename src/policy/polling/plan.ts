// Decides what a poller does next. Items that it holds are delivered before it reads another page.
import type { PollRequest, PollState } from "#schema/inbound/polling.ts";
import { nextRequest, isFull, mayRelease, type Backlog } from "./step.ts";

export type PollPlan =
  | { readonly kind: "release" }
  | { readonly kind: "poll"; readonly ask: PollRequest }
  | { readonly kind: "rest"; readonly at: number | null };

export type PollFacts = {
  readonly state: PollState;
  readonly backlog: Backlog;
  /** The earliest poll cycle that has items which are not delivered yet; null if there is none. */
  readonly oldestCycle: number | null;
  /**
   * No item is delivered before this instant (epoch ms), because the trigger had no room or its mapping was
   * unavailable.
   */
  readonly blockedUntil: number;
};

export function planPoll({ state, backlog, oldestCycle, blockedUntil }: PollFacts, now: number): PollPlan {
  const canRelease = oldestCycle !== null && mayRelease(state, oldestCycle);
  if (canRelease && blockedUntil <= now) return { kind: "release" };
  const ask = nextRequest(state, backlog, now);
  if (ask !== null) return { kind: "poll", ask };
  // With a full backlog, no page is read until items are delivered.
  const instants = [canRelease ? blockedUntil : null, isFull(backlog) ? null : state.nextAt];
  const future = instants.filter((at) => at !== null);
  return { kind: "rest", at: future.length === 0 ? null : Math.min(...future) };
}
