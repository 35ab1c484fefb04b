// Cancels the children that executions want canceled, and looks for those they wait for. It holds no state: what is lost
// here the execution sends again.
import { CELL_CALL_MS_MAX } from "#schema/limits/queues.ts";
import type { ChildrenMessage } from "#schema/engine/message.ts";
import type { Deps } from "#services/deps.ts";
import { seeToChildren } from "#services/executions/children/carry-out-requests.ts";
import type { Ending } from "./arrival.ts";
import { within, type Later } from "./time.ts";

export async function carryToChildren(body: ChildrenMessage, deps: Deps, later: Later): Promise<Ending> {
  try {
    return (await within(later, CELL_CALL_MS_MAX, seeToChildren(deps, body))) ? "done" : "again";
  } catch (fault) {
    deps.log({ level: "warn", event: "children_not_seen_to", execution: body.execution, message: String(fault) });
    return "again";
  }
}
