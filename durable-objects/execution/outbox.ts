// What leaves for the queue after a commit. The outbox is the state itself: a queued run that nobody claims is found
// by the alarm and sent again, so a failed send here needs no memory.
import type { ActionMessage } from "#schema/message.ts";
import type { Draft } from "./drafts.ts";
import type { Ports } from "./ports.ts";

/** A queue takes at most this many messages in one call. */
const BATCH_MAX = 100;

export function sendOut(ports: Ports, drafts: readonly Draft[]): void {
  const messages = drafts.flatMap(messagesOf).toSorted((a, b) => b.priority - a.priority);
  for (let from = 0; from < messages.length; from += BATCH_MAX) {
    ports.sendActions(messages.slice(from, from + BATCH_MAX)).catch((fault: unknown) => {
      ports.log({ level: "warn", event: "actions_not_sent", count: messages.length, message: String(fault) });
    });
  }
}

function messagesOf({ state, effects }: Draft): readonly ActionMessage[] {
  return effects.flatMap((effect) => {
    if (effect.kind !== "dispatch" || effect.lane !== "queue") return [];
    const { run, attempt, priority } = effect;
    return [{ v: 1 as const, tenant: state.tenant, execution: state.id, run, attempt, priority }];
  });
}
