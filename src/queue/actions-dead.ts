// Dead action messages: handles messages of the dead-letter queue. The execution's object records each failed attempt,
// so that the execution's machine can react to the failure.
import type { UndeliverableItem } from "#schema/engine/cell.ts";
import { DEAD_ACTION_RETRY_S } from "#schema/limits/queues/consumers.ts";
import { isUndecided } from "#schema/refusal.ts";
import type { Deps } from "#services/deps.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";
import { parseMessages } from "./arrival.ts";

export async function consumeDeadActions(batch: MessageBatch, deps: Deps): Promise<void> {
  const { actions, outboxes } = parseMessages(batch.messages, deps);
  // The outbox message is acknowledged, because the execution sends its outbox again until the messages are confirmed.
  for (const { message } of outboxes) message.ack();
  for (const { message, body } of actions) {
    const { tenant, execution, run, attempt } = body;
    const item: UndeliverableItem = { execution, run, attempt, message: message.id };
    try {
      const [answer] = (await deps.cell(cellName(tenant, execution)).undeliverable([item])) ?? [];
      if (answer && !answer.ok && isUndecided(answer.refusal)) throw new Error(answer.refusal.message);
      message.ack();
    } catch (fault) {
      deps.log({ level: "error", event: "dead_action_not_reported", execution, run, message: String(fault) });
      const { first, most } = DEAD_ACTION_RETRY_S;
      message.retry({ delaySeconds: Math.min(most, first * 2 ** (message.attempts - 1)) });
    }
  }
}
