// Confirmations of a virtual run's outbox. Each message is confirmed as if its recipient had received it and acted on
// it immediately.
import type { Confirmation, OutboxRef } from "#schema/engine/outbox.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { childRequests } from "../execution/children/children-on-end.ts";
import { outboxOf } from "../execution/outbox/own-outbox.ts";
import { taskUpdates } from "../execution/tasks/task-updates.ts";
import { virtualTaskId } from "./assumed-results.ts";

export function confirmationsOf(state: ExecutionState): readonly Confirmation[] {
  return [
    ...confirmationsOfTasks(state),
    ...confirmationsOfChildren(state),
    ...outboxOf(state).flatMap(confirmationsOfNotices),
    ...confirmationsOfRelease(state),
  ];
}

function confirmationsOfNotices({ kind, key }: OutboxRef): readonly Confirmation[] {
  if (kind === "child_ended") return [{ kind, key, refused: null }];
  return kind === "correlation_key" || kind === "subject_ended" ? [{ kind, key }] : [];
}

/** While the execution is live, the message asks for its place, which the caller of the play decides. */
function confirmationsOfRelease(state: ExecutionState): readonly Confirmation[] {
  if (!isFinalStatus(state.status)) return [];
  return outboxOf(state).flatMap(({ kind, key }) =>
    kind === "start_place" ? [{ kind, key, answer: { kind: "released" }, places: [] }] : [],
  );
}

/** Confirms updates of tasks as if each update had taken effect. */
function confirmationsOfTasks(state: ExecutionState): readonly Confirmation[] {
  return taskUpdates(state).map(({ key, run }) => {
    const title = String(state.runs.find(({ id }) => id === run)?.config?.["title"]);
    const task = { id: virtualTaskId(run), title, assignee: null, priority: null, dueAt: null, escalatedFrom: null };
    return { kind: "task_update", key, found: "open", task };
  });
}

/**
 * Confirms requests to children: a child that the request cancels counts as canceled, and an awaited child as ended.
 */
function confirmationsOfChildren(state: ExecutionState): readonly Confirmation[] {
  return childRequests(state).map(({ kind, key, run, execution }) => {
    const found = kind === "cancel" ? "canceled" : "ended";
    return { kind: "child_request", key, run, found, execution, at: state.updatedAt };
  });
}
