// What came of sending a dead letter again, or of letting it lie.
import type { Reply } from "#schema/engine/cell.ts";
import { deadLetterId } from "#schema/ids.ts";
import type { Run } from "#schema/engine/run.ts";
import type { ApiDeadLetter, ApiRedriven } from "./shape.ts";
import { presentEntry } from "../history/present.ts";
import { toInstant } from "#schema/values.ts";

export function presentRedriven(reply: Reply, run: Run, dryRun: boolean): ApiRedriven {
  const { state, repeated, entries } = reply;
  return {
    id: deadLetterId(state.id, run.id),
    standing: standingOf(run),
    run: {
      id: run.id,
      status: run.status,
      reason: run.reason,
      attempt: run.attempt,
      dueAt: toInstant(run.dueAt),
    },
    execution: { id: state.id, status: state.status, states: [...state.position.states] },
    repeated,
    dryRun,
    ...(entries === undefined ? {} : { entries: entries.map(presentEntry) }),
  };
}

export function standingOf({ deadLetter, status }: Run): ApiDeadLetter["standing"] {
  if (deadLetter) return "waiting";
  switch (status) {
    case "failed":
      return "archived";
    case "ok":
    case "skipped":
    case "canceled":
      return status;
    case "scheduled":
    case "queued":
    case "running":
    case "retry":
      return "sent_again";
  }
}
