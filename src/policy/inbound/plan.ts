// Decides what a trigger's object does next, and when it wakes. Deliveries are processed before polls. When it has no
// delivery and no poller, the object deletes itself.
import { DELIVERY_KEPT_MS } from "#schema/limits/inbound/deliveries.ts";
import type { PollPlan } from "../polling/plan.ts";

export type TriggerPlan =
  | PollPlan
  | { readonly kind: "hand_over" }
  | { readonly kind: "rest"; readonly at: number | null }
  | { readonly kind: "forget" };

export type TriggerFacts = {
  /** When the first pending delivery is due, in epoch ms; null if none is pending. */
  readonly dueAt: number | null;
  /** When the oldest delivery was stored, in epoch ms; null if there is none. */
  readonly oldestAt: number | null;
  /** False if there are more old rows that must be deleted now. */
  readonly isTidy: boolean;
  /** When the next alert about stuck deliveries is due, in epoch ms; null if none is due. */
  readonly alertAt: number | null;
  /** What the poller does next; null if the trigger does not poll. */
  readonly poll: PollPlan | null;
};

export function planTrigger({ dueAt, oldestAt, isTidy, alertAt, poll }: TriggerFacts, now: number): TriggerPlan {
  if (dueAt !== null && dueAt <= now) return { kind: "hand_over" };
  if (poll !== null && poll.kind !== "rest") return poll;
  if (oldestAt === null && poll === null) return { kind: "forget" };
  const purgeAt = oldestAt === null ? null : isTidy ? oldestAt + DELIVERY_KEPT_MS : now;
  const instants = [dueAt, purgeAt, alertAt, poll === null ? null : poll.at].filter((at) => at !== null);
  return { kind: "rest", at: instants.length === 0 ? null : Math.min(...instants) };
}
