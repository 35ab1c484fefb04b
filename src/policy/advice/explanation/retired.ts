// Explains an execution whose journal is deleted. Only its catalog row is left, which contains how the execution ended.
import { emptyPrediction } from "#kernel/explain/predict-next.ts";
import type { Explanation } from "#schema/engine/explanation.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";

export function explainRetired(row: ExecutionRow, now: number): Explanation {
  const error = row.error === null ? null : { type: "unknown_error", message: row.error, retryable: false };
  return {
    execution: row.id,
    definition: { id: row.definitionId, name: row.definitionName, version: row.definitionVersion },
    status: row.status,
    states: row.states,
    asOf: now,
    ended: { status: row.status, at: row.finishedAt ?? row.updatedAt, reason: row.reason, error },
    next: emptyPrediction("none"),
    or: [],
    waits: [],
    notNow: [],
    notDone: [],
    leftOut: { waits: 0, notNow: 0, notDone: 0 },
  };
}
