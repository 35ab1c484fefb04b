// What leaves for the queue after a commit. The outbox is the state itself: a queued run that nobody claims is found
// by the alarm and sent again, so a failed send here needs no memory.
import { QUEUE_SEND_MESSAGES_MAX } from "#schema/limits/queues.ts";
import type { ActionMessage, SignalMessage } from "#schema/engine/message.ts";
import type { Draft } from "./drafts.ts";
import type { Ports } from "./ports.ts";

export function sendOut(ports: Ports, drafts: readonly Draft[]): void {
  const messages = drafts.flatMap(messagesOf).toSorted((a, b) => b.priority - a.priority);
  for (let from = 0; from < messages.length; from += QUEUE_SEND_MESSAGES_MAX) {
    ports.sendActions(messages.slice(from, from + QUEUE_SEND_MESSAGES_MAX)).catch((fault: unknown) => {
      ports.log({ level: "warn", event: "actions_not_sent", count: messages.length, message: String(fault) });
    });
  }
  sendSignals(ports, drafts.flatMap(signalsOf));
}

/** What parents wait to hear is owed in the state as well, and sent again until it has arrived. */
function sendSignals(ports: Ports, signals: readonly SignalMessage[]): void {
  for (let from = 0; from < signals.length; from += QUEUE_SEND_MESSAGES_MAX) {
    ports.sendSignals(signals.slice(from, from + QUEUE_SEND_MESSAGES_MAX)).catch((fault: unknown) => {
      ports.log({ level: "warn", event: "signals_not_sent", count: signals.length, message: String(fault) });
    });
  }
}

function signalsOf({ state, effects }: Draft): readonly SignalMessage[] {
  return effects.flatMap((effect) => {
    if (effect.kind !== "signal") return [];
    const { tenant, id: execution } = state;
    return [{ v: 1 as const, kind: "signal" as const, tenant, execution, parent: effect.parent }];
  });
}

function messagesOf({ state, effects }: Draft): readonly ActionMessage[] {
  return effects.flatMap((effect) => {
    if (effect.kind !== "dispatch" || effect.lane !== "queue") return [];
    const { run, attempt, priority } = effect;
    return [
      { v: 1 as const, kind: "action" as const, tenant: state.tenant, execution: state.id, run, attempt, priority },
    ];
  });
}
