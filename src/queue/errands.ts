// Does what executions want done about their tasks. It holds no state: what is lost here the execution sends again.
import { CELL_CALL_MS_MAX } from "#schema/limits/queues.ts";
import type { ErrandsMessage } from "#schema/engine/message.ts";
import type { Deps } from "#services/deps.ts";
import { doErrands } from "#services/tasks/update-tasks.ts";
import type { Ending } from "./arrival.ts";
import { within, type Later } from "./time.ts";

export async function carryErrands(body: ErrandsMessage, deps: Deps, later: Later): Promise<Ending> {
  try {
    return (await within(later, CELL_CALL_MS_MAX, doErrands(deps, body))) ? "done" : "again";
  } catch (fault) {
    deps.log({ level: "warn", event: "errands_not_done", execution: body.execution, message: String(fault) });
    return "again";
  }
}
