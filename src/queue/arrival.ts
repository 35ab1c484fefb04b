// Arrivals: a queue message as the consumer receives it, and whether the message is acknowledged or delivered again.
import { isSlow, queueMessage, type ActionMessage, type OutboxQueueMessage } from "#schema/engine/message.ts";
import { SLOW_ABOVE_MS } from "#schema/limits/run-attempts.ts";
import type { Claimant } from "#schema/engine/run.ts";
import type { Deps } from "#services/deps.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import type { Seatable } from "./consumer-slots.ts";

/** A queue message as delivered by the platform, or by the consumer that split the batch into sub-batches. */
export type DeliveredMessage = Pick<Message, "id" | "attempts" | "body" | "ack" | "retry">;
export type Arrival<Body> = Seatable & { readonly message: DeliveredMessage; readonly body: Body };
/** An action message, with the claimant under which this delivery claims the message's run. */
export type ActionArrival = Arrival<ActionMessage> & { readonly claimant: Claimant };
export type OutboxArrival = Arrival<OutboxQueueMessage>;

/**
 * Separates the messages whose action was slow recently (`slow`), so that they move to the slow queue. A redelivered
 * message is never moved, because only a delivery of the same message can repeat the claim of a lost consumer.
 */
export function bySpeed(
  actions: readonly ActionArrival[],
  wasSlow: (action: { readonly tenant: string; readonly action: string }) => boolean,
): { readonly short: readonly ActionArrival[]; readonly slow: readonly ActionArrival[] } {
  const [short, slow]: [ActionArrival[], ActionArrival[]] = [[], []];
  for (const arrival of actions) {
    const { body, tenant, message } = arrival;
    const isFirst = !isSlow(body) && message.attempts === 1;
    if (isFirst && body.action !== undefined && wasSlow({ tenant, action: body.action }))
      slow.push({ ...arrival, body: { ...body, timeoutMs: SLOW_ABOVE_MS } });
    else short.push(arrival);
  }
  return { short, slow };
}

/** done: the message is acknowledged. again: the message is delivered again. */
export type ArrivalEnding = "done" | "again";

type Parsed = { readonly actions: readonly Arrival<ActionMessage>[]; readonly outboxes: readonly OutboxArrival[] };

/** Parses the messages of a batch. A malformed message is dropped with a log line, because it cannot become valid. */
export function parseMessages(messages: readonly DeliveredMessage[], deps: Pick<Deps, "log">): Parsed {
  const actions: Arrival<ActionMessage>[] = [];
  const outboxes: OutboxArrival[] = [];
  for (const message of messages) {
    const parsed = queueMessage.safeParse(message.body);
    if (!parsed.success) {
      deps.log({ level: "error", event: "malformed_action_message", id: message.id, issues: parsed.error.issues });
      message.ack();
    } else if (parsed.data.kind === "action") actions.push(actionArrival(message, parsed.data));
    else outboxes.push(outboxArrival(message, parsed.data));
  }
  return { actions, outboxes };
}

function actionArrival(message: DeliveredMessage, body: ActionMessage): Arrival<ActionMessage> {
  const { tenant, execution, priority, timeoutMs } = body;
  return { message, body, tenant, priority, timeoutMs, cell: cellName(tenant, execution) };
}

function outboxArrival(message: DeliveredMessage, body: OutboxQueueMessage): OutboxArrival {
  const { tenant, execution } = body;
  return { message, body, tenant, priority: 0, cell: cellName(tenant, execution) };
}

/**
 * Groups messages by cell, because one call claims the runs of a cell. Each message of a group gets the highest
 * priority in the group. `batch` is random, so that no two arrivals in any batch have the same name.
 */
export function byCell(actions: readonly Arrival<ActionMessage>[], batch: Uint8Array): readonly ActionArrival[] {
  const name = Array.from(batch, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const cells = Map.groupBy(actions, ({ cell }) => cell);
  const together = [...cells.values()].flatMap((members) => {
    const priority = Math.max(...members.map((member) => member.priority));
    return members.toSorted((a, b) => b.priority - a.priority).map((member) => ({ ...member, priority }));
  });
  return together.map((each, at) => {
    const { id, attempts } = each.message;
    return { ...each, claimant: { message: id, delivery: attempts, arrival: `${name}.${at}` } };
  });
}
