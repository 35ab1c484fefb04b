// What a trigger's object does next, and when it wakes for it: it delivers before it polls, and deletes itself when nothing is left.
import { DELIVERY_KEPT_MS } from "#schema/limits/inbound.ts";
import type { PollPlan } from "../polling/plan.ts";

export type TriggerPlan =
  | PollPlan
  | { readonly kind: "hand_over" }
  | { readonly kind: "rest"; readonly at: number | null }
  | { readonly kind: "forget" };

export type TriggerFacts = {
  /** The first instant at which a delivery is due; null: none is pending. */
  readonly dueAt: number | null;
  /** When the oldest delivery was stored; null: there is none. */
  readonly oldestAt: number | null;
  /** False: more old rows are to be deleted at once. */
  readonly isTidy: boolean;
  /** null: the trigger polls nothing. */
  readonly poll: PollPlan | null;
};

export function planTrigger({ dueAt, oldestAt, isTidy, poll }: TriggerFacts, now: number): TriggerPlan {
  if (dueAt !== null && dueAt <= now) return { kind: "hand_over" };
  if (poll !== null && poll.kind !== "rest") return poll;
  if (oldestAt === null && poll === null) return { kind: "forget" };
  const purgeAt = oldestAt === null ? null : isTidy ? oldestAt + DELIVERY_KEPT_MS : now;
  const instants = [dueAt, purgeAt, poll === null ? null : poll.at].filter((at) => at !== null);
  return { kind: "rest", at: instants.length === 0 ? null : Math.min(...instants) };
}
