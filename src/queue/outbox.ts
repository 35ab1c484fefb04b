// Carries the news of a child's end to its parent. It holds no state: what is lost here the child sends again.
import { CELL_CALL_MS_MAX } from "#schema/limits/queues.ts";
import type { SignalMessage } from "#schema/engine/message.ts";
import type { Deps } from "#services/deps.ts";
import { deliverSignal } from "#services/executions/children/notify-parent.ts";
import type { Ending } from "./arrival.ts";
import { within, type Later } from "./time.ts";

export async function carrySignal(body: SignalMessage, deps: Deps, later: Later): Promise<Ending> {
  try {
    return (await within(later, CELL_CALL_MS_MAX, deliverSignal(deps, body))) ? "done" : "again";
  } catch (fault) {
    deps.log({ level: "warn", event: "parent_not_told", execution: body.execution, message: String(fault) });
    return "again";
  }
}
