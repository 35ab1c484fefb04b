// Outbox sends: sends queue messages after a commit. The state is the outbox: the alarm sends a run again if no
// consumer claims it, so a failed send is not recorded here.
import { QUEUE_SEND_BYTES_MAX, QUEUE_SEND_MESSAGES_MAX } from "#schema/limits/queues/message-sizes.ts";
import { isSlow, type ActionMessage, type OutboxQueueMessage } from "#schema/engine/message.ts";
import type { Draft } from "./drafts.ts";
import type { Ports } from "./ports.ts";
import { bytesOf, sendMeasured } from "./queue-sends.ts";

export function sendOut(ports: Ports, drafts: readonly Draft[]): void {
  const messages = drafts.flatMap(messagesOf).toSorted((a, b) => b.priority - a.priority);
  const fast = messages.filter((message) => !isSlow(message));
  const slow = messages.filter(isSlow);
  void sendToQueue(ports, "actions", fast, (batch) => ports.sendActions(batch));
  void sendToQueue(ports, "actions", slow, (batch) => ports.sendSlowActions(batch));
  // An outbox message is sent again until the execution gets its confirmation.
  void sendToQueue(ports, "outboxes", drafts.flatMap(outboxesOf), (batch) => ports.sendOutboxes(batch));
}

async function sendToQueue<Message extends { readonly execution: string }>(
  ports: Ports,
  queue: "actions" | "outboxes",
  items: readonly Message[],
  send: (batch: readonly Message[]) => Promise<void>,
): Promise<void> {
  if (items.length === 0) return;
  const bounds = { bytesMax: QUEUE_SEND_BYTES_MAX, countMax: QUEUE_SEND_MESSAGES_MAX, halves: false };
  const { left, impossible, fault } = await sendMeasured({ items, send, ...bounds });
  const event = `${queue}_not_sent`;
  if (left.length > 0) ports.log({ level: "warn", event, count: left.length, message: String(fault) });
  for (const each of impossible) {
    const dropped = { queue, dropped: 1, what: each.execution, bytes: bytesOf(each) };
    ports.log({
      level: "error",
      event: "message_dropped",
      ...dropped,
      message: "larger than the queue's message limit",
    });
  }
}

/** The queue message only names the execution. The consumer reads the outbox messages from the execution's state. */
function outboxesOf({ state: { tenant, id: execution }, effects }: Draft): readonly OutboxQueueMessage[] {
  return effects.some(({ kind }) => kind === "send") ? [{ v: 1, kind: "outbox", tenant, execution }] : [];
}

function messagesOf({ state, effects }: Draft): readonly ActionMessage[] {
  return effects.flatMap((effect) => {
    if (effect.kind !== "dispatch" || effect.lane !== "queue") return [];
    const { run, attempt, priority, timeoutMs } = effect;
    const action = state.runs.find(({ id }) => id === run)?.action;
    const optional = { ...(action === undefined ? {} : { action }), ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    const { tenant, id: execution } = state;
    return [{ v: 1 as const, kind: "action" as const, tenant, execution, run, attempt, priority, ...optional }];
  });
}
