// Results of retrying or archiving a dead letter.
import type { Reply } from "#schema/engine/cell.ts";
import { deadLetterId } from "#schema/ids.ts";
import { isHandled, type Run } from "#schema/engine/run.ts";
import type { ApiDeadLetter, ApiRedriven } from "./shape.ts";
import { presentWould } from "../history/dry-run.ts";
import { toInstant } from "#schema/values.ts";

export function presentRedriven(reply: Reply, run: Run, dryRun: boolean): ApiRedriven {
  const { state, repeated } = reply;
  return {
    id: deadLetterId(state.id, run.id),
    standing: standingOf(run),
    run: { id: run.id, status: run.status, reason: run.reason, attempt: run.attempt, dueAt: toInstant(run.dueAt) },
    execution: { id: state.id, status: state.status, states: [...state.position.states] },
    repeated,
    dryRun,
    ...presentWould(reply),
  };
}

export function standingOf(run: Run): ApiDeadLetter["standing"] {
  if (run.deadLetter) return isHandled(run) ? "handled" : "waiting";
  switch (run.status) {
    case "failed":
      return "archived";
    case "ok":
    case "skipped":
    case "canceled":
      return run.status;
    case "scheduled":
    case "queued":
    case "running":
    case "retry":
      return "sent_again";
  }
}
