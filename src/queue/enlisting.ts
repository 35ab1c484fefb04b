// Tells directories under which key executions are to be found. It holds no state: what is lost here the execution sends again.
import { CELL_CALL_MS_MAX } from "#schema/limits/queues.ts";
import type { EnlistMessage } from "#schema/engine/message.ts";
import type { Deps } from "#services/deps.ts";
import { enlistExecution } from "#services/events/register-correlation-key.ts";
import type { Ending } from "./arrival.ts";
import { within, type Later } from "./time.ts";

export async function carryEnlisting(body: EnlistMessage, deps: Deps, later: Later): Promise<Ending> {
  try {
    return (await within(later, CELL_CALL_MS_MAX, enlistExecution(deps, body))) ? "done" : "again";
  } catch (fault) {
    deps.log({ level: "warn", event: "directory_not_told", execution: body.execution, message: String(fault) });
    return "again";
  }
}
