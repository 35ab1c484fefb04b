// Carries the news of a child's end to its parent. It holds no state: what is lost here the child sends again.
import { signalMessage, type SignalMessage } from "#schema/engine/message.ts";
import type { Deps } from "#services/deps.ts";
import { deliverSignal } from "#services/executions/deliver-signal.ts";
import type { Semaphore } from "./semaphore.ts";

export type SignalDelivery = { readonly message: Message; readonly body: SignalMessage };

export function signalsIn(messages: readonly Message[]): readonly SignalDelivery[] {
  return messages.flatMap((message) => {
    const parsed = signalMessage.safeParse(message.body);
    return parsed.success ? [{ message, body: parsed.data }] : [];
  });
}

export async function carrySignal({ message, body }: SignalDelivery, deps: Deps, semaphore: Semaphore): Promise<void> {
  await semaphore.take(1);
  try {
    if (await deliverSignal(deps, body)) message.ack();
    else retryLater(message);
  } catch (fault) {
    deps.log({ level: "warn", event: "parent_not_told", execution: body.execution, message: String(fault) });
    retryLater(message);
  } finally {
    semaphore.give(1);
  }
}

function retryLater(message: Message): void {
  message.retry({ delaySeconds: Math.min(300, 2 ** message.attempts) });
}
