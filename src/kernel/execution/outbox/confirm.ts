// Confirmations of outbox messages: applies each result. A late or repeated confirmation changes nothing.
import type { Input } from "#schema/engine/input.ts";
import type { Confirmation } from "#schema/engine/outbox.ts";
import { finishChildRequest } from "../children/child-requests.ts";
import type { Step } from "../current-step.ts";
import { finishTaskUpdate } from "../tasks/task-updates.ts";
import { confirmCorrelationKey } from "./correlation-key.ts";
import { confirmChildEnded, confirmSubjectEnded } from "./end-notices.ts";
import { outboxOf, sendRest } from "./outbox.ts";

/** Confirmations for an earlier execution with the same id are ignored. */
export function confirm(step: Step, { incarnation, items }: Extract<Input, { kind: "confirmed" }>): null {
  if (step.state.createdAt !== incarnation) return null;
  const before = outboxOf(step.state);
  for (const item of items) confirmOne(step, item);
  sendRest(step, before, items);
  return null;
}

function confirmOne(step: Step, item: Confirmation): void {
  switch (item.kind) {
    case "child_ended":
      return confirmChildEnded(step, item);
    case "task_update":
      return finishTaskUpdate(step, item);
    case "child_request":
      return finishChildRequest(step, item);
    case "correlation_key":
      return confirmCorrelationKey(step, item);
    case "subject_ended":
      return confirmSubjectEnded(step, item);
  }
}
