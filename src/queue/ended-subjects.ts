// Tells subjects' objects of ends. It holds no state: what is lost here the execution sends again.
import { CELL_CALL_MS_MAX } from "#schema/limits/queues.ts";
import type { SubjectMessage } from "#schema/engine/message.ts";
import type { Deps } from "#services/deps.ts";
import { tellSubject } from "#services/subjects/notify-subject.ts";
import type { Ending } from "./arrival.ts";
import { within, type Later } from "./time.ts";

export async function carryEnd(body: SubjectMessage, deps: Deps, later: Later): Promise<Ending> {
  try {
    return (await within(later, CELL_CALL_MS_MAX, tellSubject(deps, body))) ? "done" : "again";
  } catch (fault) {
    deps.log({ level: "warn", event: "subject_not_told", execution: body.execution, message: String(fault) });
    return "again";
  }
}
