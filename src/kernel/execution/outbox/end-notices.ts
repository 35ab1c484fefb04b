// Notifications of an execution's end: to the parent that waits for it, and to its subject's object, which decides
// about re-entry. The history is kept until both have confirmed.
import type { OutboxRef, ParentAnswer } from "#schema/engine/outbox.ts";
import { note, type Step } from "../current-step.ts";
import { leaveToParent } from "../retries/handled.ts";
import { addToOutbox, removeFromOutbox } from "./outbox.ts";

export function notifyOfEnd(step: Step): void {
  const { parent, subject } = step.state;
  if (parent && parent.waits !== false) addToOutbox(step, "child_ended", parent.execution);
  if (subject) addToOutbox(step, "subject_ended", subject.key);
}

export function confirmChildEnded(step: Step, { refused, took, ...message }: OutboxRef & ParentAnswer): void {
  if (!removeFromOutbox(step, message)) return;
  if (took !== undefined) leaveToParent(step, message.key, took);
  note(step, { kind: "parent_told", parent: message.key, refused });
}

export function confirmSubjectEnded(step: Step, message: OutboxRef): void {
  if (removeFromOutbox(step, message)) note(step, { kind: "subject_told" });
}
