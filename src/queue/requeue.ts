// Requeueing: sends messages that were not begun to their queue as new messages. A new message has all of its
// deliveries left, so a long wait never makes it undeliverable.
import { queueOf, type ActionQueue, type QueueMessage } from "#schema/engine/message.ts";
import type { Deps } from "#services/deps.ts";
import type { ActionArrival, ArrivalEnding, OutboxArrival } from "./arrival.ts";

/** Sends messages to a queue. Returns the messages that could not be sent, and the fault. It never throws. */
export type SendRequeued = (
  queue: ActionQueue,
  messages: readonly QueueMessage[],
) => Promise<{ readonly unsent: ReadonlySet<QueueMessage>; readonly fault: unknown }>;

type Unbegun = ActionArrival | OutboxArrival;
type Parts = {
  readonly sendBack: SendRequeued;
  readonly end: (arrival: Unbegun, ending: ArrivalEnding) => void;
  readonly deps: Pick<Deps, "log">;
};

/**
 * Requeues messages: sends the new message first, then acknowledges the old message. If the queue has both for a
 * moment, only one of them can claim the run.
 */
export async function requeueUnbegun(arrivals: readonly Unbegun[], { sendBack, end, deps }: Parts): Promise<void> {
  const queues = Map.groupBy(arrivals, queueOfArrival);
  const sending = Array.from(queues, async ([queue, members]) => {
    const bodies = members.map(({ body }) => body);
    const { unsent, fault } = await sendBack(queue, bodies);
    for (const member of members) end(member, unsent.has(member.body) ? "again" : "done");
    const count = unsent.size;
    if (count > 0) deps.log({ level: "warn", event: "actions_not_requeued", count, message: String(fault) });
  });
  await Promise.all(sending);
}

function queueOfArrival({ body }: Unbegun): ActionQueue {
  return body.kind === "action" ? queueOf(body) : "short";
}
