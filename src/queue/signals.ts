// Carries the news of a child's end to its parent. It holds no state: what is lost here the child sends again.
import type { SignalMessage } from "#schema/engine/message.ts";
import type { Deps } from "#services/deps.ts";
import { deliverSignal } from "#services/executions/deliver-signal.ts";
import { retryLater } from "./retry-later.ts";
import type { Semaphore } from "./semaphore.ts";

type SignalArrival = { readonly message: Message; readonly body: SignalMessage };

export async function carrySignal({ message, body }: SignalArrival, deps: Deps, semaphore: Semaphore): Promise<void> {
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
