// Retired progress: the progress of an execution whose history is deleted, from its catalog row.
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { canceledMessage, snapshotStatus, type ProgressSnapshot } from "./progress-snapshot.ts";

/** The row shows whether the execution completed, and its failures. */
export function retiredProgress(row: ExecutionRow): ProgressSnapshot {
  const { error, errors, status, reason } = row;
  const isCompleted = status === "completed";
  const done = isCompleted ? row.states : [];
  return {
    status: snapshotStatus(status),
    currentNode: null,
    nodes: { ...noNodes, done, completed: done.length, total: row.states.length },
    scheduled: [],
    errorCount: Math.max(errors?.count ?? 0, error === null ? 0 : 1),
    lastError: error ?? errors?.last ?? canceledMessage(status, reason),
    nextAt: null,
    progress: { completed: done.length, total: row.states.length, percentage: isCompleted ? 100 : 0 },
  };
}

const noNodes = { open: [], skipped: [], failed: [] };
