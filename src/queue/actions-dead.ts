// What the action queue gave up on. The execution's object is told, so that its machine learns of it.
import type { ClaimItem } from "#schema/engine/cell.ts";
import type { Deps } from "#services/deps.ts";
import { cellName } from "#services/cells/placement.ts";
import { parseAction } from "./actions.ts";
import { signalsIn } from "./signals.ts";

export async function consumeDeadActions(batch: MessageBatch, deps: Deps): Promise<void> {
  const signals = new Set(signalsIn(batch.messages).map(({ message }) => message));
  // The execution itself sends them again until they have arrived.
  for (const message of signals) message.ack();
  const deliveries = batch.messages.flatMap((message) => (signals.has(message) ? [] : parseAction(message, deps)));
  for (const { message, body } of deliveries) {
    const { tenant, execution, run, attempt } = body;
    const item: ClaimItem = { execution, run, attempt };
    try {
      await deps.cell(cellName(tenant, execution)).undeliverable([item]);
      message.ack();
    } catch (fault) {
      deps.log({ level: "error", event: "dead_action_not_reported", execution, run, message: String(fault) });
      message.retry({ delaySeconds: Math.min(3_600, 30 * 2 ** message.attempts) });
    }
  }
}
