// The queue consumer: processes actions and execution outboxes. It holds no state: if a message is lost, the
// execution's alarm sends it again. A batch larger than the consumer's slots is split into sub-batches. The tenants of
// a batch share the slots. Messages that cannot begin in time are requeued, so that the batch ends before the
// platform's limit.
import { BATCH_MS_MAX, BATCH_NAME_BYTES, CONSUMER_SLOTS } from "#schema/limits/queues/consumers.ts";
import type { Deps } from "#services/deps.ts";
import {
  byCell,
  bySpeed,
  parseMessages,
  type ActionArrival,
  type DeliveredMessage,
  type ArrivalEnding,
  type OutboxArrival,
} from "./arrival.ts";
import { openCarrying, type RunAction } from "./run-claimed.ts";
import { requeueUnbegun, type SendRequeued } from "./requeue.ts";
import { openConsumerSlots } from "./consumer-slots.ts";
import { retryLater } from "./retry-later.ts";
import { deliverOutbox } from "./outbox.ts";
import { splitBatch, type RunSubBatch, type SubBatchMessage } from "./sub-batches.ts";
import { withTimeout, type Later } from "./timeouts.ts";

export type ConsumerMeans = {
  readonly run: RunAction;
  readonly sendBack: SendRequeued;
  readonly later: Later;
  /** Returns true if the action's recent attempts were slow. The consumer then moves the message to the slow queue. */
  readonly wasSlow: (action: { readonly tenant: string; readonly action: string }) => boolean;
};

export async function consumeActions(
  { messages }: MessageBatch,
  deps: Deps,
  means: ConsumerMeans & { readonly share: RunSubBatch },
): Promise<void> {
  if (messages.length > CONSUMER_SLOTS) await splitBatch(messages, { deps, ...means });
  else await carry(messages, deps, means);
}

/**
 * Processes a sub-batch in an invocation of its own. Returns an ending for each message; `again` for an unfinished
 * message.
 */
export async function runSubBatch(
  messages: readonly SubBatchMessage[],
  deps: Deps,
  means: ConsumerMeans,
): Promise<readonly ArrivalEnding[]> {
  const endings: ArrivalEnding[] = messages.map(() => "again");
  const delivered = messages.map((told, at): DeliveredMessage => {
    return { ...told, ack: () => void (endings[at] = "done"), retry: () => void (endings[at] = "again") };
  });
  await carry(delivered, deps, means);
  return endings;
}

async function carry(messages: readonly DeliveredMessage[], deps: Deps, means: ConsumerMeans): Promise<void> {
  const { actions, outboxes } = parseMessages(messages, deps);
  const claimable = byCell(actions, deps.randomBytes(BATCH_NAME_BYTES));
  const { short, slow } = bySpeed(claimable, means.wasSlow);
  const arrivals = [...short, ...outboxes];
  const { later } = means;
  const places = openConsumerSlots(arrivals, { now: deps.now, later });
  const open = new Set<ActionArrival | OutboxArrival>([...arrivals, ...slow]);
  const end = (arrival: ActionArrival | OutboxArrival, ending: ArrivalEnding): void => {
    places.leave(arrival);
    if (!open.delete(arrival)) return;
    if (ending === "done") arrival.message.ack();
    else retryLater(arrival.message);
  };
  const carryOut = openCarrying({ deps, ...means, end, rests: places.leave });

  const work = async (): Promise<void> => {
    const begun: Promise<void>[] = [requeueUnbegun(slow, { deps, sendBack: means.sendBack, end })];
    const unbegun = await places.seat((seated) => {
      for (const [cell, members] of Map.groupBy(seated.filter(isAction), (each) => each.cell)) {
        begun.push(carryOut(cell, members));
      }
      for (const each of seated.filter(isOutbox)) {
        begun.push(deliverOutbox(each.body, deps, later).then((ending) => end(each, ending)));
      }
    });
    await requeueUnbegun(unbegun, { deps, sendBack: means.sendBack, end });
    await Promise.all(begun);
  };
  try {
    await withTimeout(later, BATCH_MS_MAX, work());
  } catch (fault) {
    deps.log({ level: "error", event: "batch_cut_off", open: open.size, message: String(fault) });
    for (const arrival of open) end(arrival, "again");
  }
}

function isAction(arrival: ActionArrival | OutboxArrival): arrival is ActionArrival {
  return arrival.body.kind === "action";
}

function isOutbox(arrival: ActionArrival | OutboxArrival): arrival is OutboxArrival {
  return arrival.body.kind === "outbox";
}
