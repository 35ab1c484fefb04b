// Sub-batches: splits a batch that is larger than a consumer's slots. Each sub-batch has its own invocation,
// connections and CPU time. If a sub-batch fails, only the messages of that sub-batch are delivered again.
import { splitIntoSubBatches } from "#policy/gates/sub-batches.ts";
import { CONSUMER_SLOTS, SUB_BATCHES, SUB_BATCH_MS_MAX } from "#schema/limits/queues/consumers.ts";
import type { Deps } from "#services/deps.ts";
import { parseMessages, type DeliveredMessage, type ArrivalEnding } from "./arrival.ts";
import { retryLater } from "./retry-later.ts";
import { withTimeout, type Later } from "./timeouts.ts";

/** A message as sent to the invocation of a sub-batch. */
export type SubBatchMessage = Pick<DeliveredMessage, "id" | "attempts" | "body">;
/** Processes a sub-batch. Returns an ending for each message, in the same order. */
export type RunSubBatch = (messages: readonly SubBatchMessage[]) => Promise<readonly ArrivalEnding[]>;

type Parts = { readonly deps: Pick<Deps, "log">; readonly share: RunSubBatch; readonly later: Later };

export async function splitBatch(messages: readonly DeliveredMessage[], { deps, share, later }: Parts): Promise<void> {
  const { actions, outboxes } = parseMessages(messages, deps);
  const arrivals = [...actions, ...outboxes];
  const shares = Math.min(SUB_BATCHES, Math.ceil(arrivals.length / CONSUMER_SLOTS));
  const carried = splitIntoSubBatches(arrivals, shares).map(async (members) => {
    if (members.length === 0) return;
    const told = members.map(({ message: { id, attempts }, body }): SubBatchMessage => ({ id, attempts, body }));
    const endings = await withTimeout(later, SUB_BATCH_MS_MAX, share(told)).catch((fault: unknown) => {
      deps.log({ level: "error", event: "share_lost", count: told.length, message: String(fault) });
      return null;
    });
    for (const [at, { message }] of members.entries()) {
      if (endings?.[at] === "done") message.ack();
      else retryLater(message);
    }
  });
  await Promise.all(carried);
}
