// Messages in the outbox of an execution: adds and removes them. `outbox.ts` sends them.
import type { OutboxKind, OutboxMessage, OutboxRef } from "#schema/engine/outbox.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { changeState, type Step } from "../current-step.ts";

type AddedKind = Exclude<OutboxKind, "task_update" | "child_request">;

export function outboxOf({ outbox = [] }: Pick<ExecutionState, "outbox">): readonly OutboxMessage[] {
  return outbox;
}

export function messageName({ kind, key }: OutboxRef): string {
  return `${kind} ${key}`;
}

/**
 * Adds a message. It replaces an earlier message of the same kind. `by`: the step sends it at its end; or the caller of
 * the step delivers it, and the execution sends it only if no confirmation follows.
 */
export function addToOutbox(step: Step, kind: AddedKind, key: string, by: "step" | "caller" = "step"): void {
  const others = outboxOf(step.state).filter((message) => message.kind !== kind);
  const message = newMessage({ kind, key }, step);
  changeState(step, { outbox: [by === "step" ? message : { ...message, tries: 1 }, ...others] });
}

/** Removes a confirmed message. Returns false if the outbox no longer contains it. */
export function removeFromOutbox(step: Step, confirmed: OutboxRef): boolean {
  const messages = outboxOf(step.state);
  const others = messages.filter((message) => messageName(message) !== messageName(confirmed));
  if (others.length === messages.length) return false;
  changeState(step, { outbox: others });
  return true;
}

export function newMessage({ kind, key }: OutboxRef, { now }: Step): OutboxMessage {
  return { kind, key, sentAt: now, tries: 0 };
}
