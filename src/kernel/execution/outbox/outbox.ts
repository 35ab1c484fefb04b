// The outbox of an execution: the list of unconfirmed messages, with the times of sending and resending. All messages
// of an execution travel together, because the consumer reads the whole outbox from the state.
import { OUTBOX_AT_ONCE_MAX } from "#schema/limits/kernel.ts";
import type { OutboxKind, OutboxMessage, OutboxRef } from "#schema/engine/outbox.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { childRequests } from "../children/child-requests.ts";
import { change, type Step } from "../current-step.ts";
import { taskUpdates } from "../tasks/task-updates.ts";
import { resendGapMs } from "../waited-until.ts";

/**
 * These messages are derived from the tasks and children in the state. All other kinds are added, and removed when
 * confirmed.
 */
const DERIVED: ReadonlySet<OutboxKind> = new Set(["task_update", "child_request"]);
type AddedKind = Exclude<OutboxKind, "task_update" | "child_request">;

export function outboxOf({ outbox = [] }: Pick<ExecutionState, "outbox">): readonly OutboxMessage[] {
  return outbox;
}

export function nameOf({ kind, key }: OutboxRef): string {
  return `${kind} ${key}`;
}

/** Replaces an earlier message of its kind, and is sent at the end of the step. */
export function addToOutbox(step: Step, kind: AddedKind, key: string): void {
  const others = outboxOf(step.state).filter((message) => message.kind !== kind);
  change(step, { outbox: [unsent({ kind, key }, step), ...others] });
}

/** False if the outbox does not contain it (any more). */
export function removeFromOutbox(step: Step, confirmed: OutboxRef): boolean {
  const messages = outboxOf(step.state);
  const others = messages.filter((message) => nameOf(message) !== nameOf(confirmed));
  if (others.length === messages.length) return false;
  change(step, { outbox: others });
  return true;
}

/** When the next message is resent; null if the outbox is empty. */
export function outboxAt(state: ExecutionState): number | null {
  const messages = outboxOf(state);
  return messages.length === 0 ? null : Math.min(...messages.map(sentAgainAt));
}

export function sentAgainAt({ sentAt, tries }: OutboxMessage): number {
  return sentAt + resendGapMs(tries - 1);
}

/** At the end of a step: new messages are sent at once. */
export function sendOutbox(step: Step): void {
  const messages = messagesOwed(step);
  if (messages.some(isUnsent)) send(step, messages);
  else if (messages !== step.state.outbox && step.state.outbox) change(step, { outbox: messages });
}

/** A message or its confirmation may have been lost. Messages beyond one delivery's limit take turns. */
export function sendDueAgain(step: Step): void {
  const messages = outboxOf(step.state);
  if (!messages.some((message) => sentAgainAt(message) <= step.now)) return;
  const first = messages.length > OUTBOX_AT_ONCE_MAX ? OUTBOX_AT_ONCE_MAX : 0;
  send(step, [...messages.slice(first), ...messages.slice(0, first)]);
}

/** After a confirmation: messages beyond one delivery's limit are sent at once, as long as the outbox shrinks. */
export function sendRest(step: Step, before: readonly OutboxMessage[], confirmed: readonly OutboxRef[]): void {
  const left = messagesOwed(step);
  const handled = new Set(confirmed.map(nameOf));
  const rest = left.filter((message) => !handled.has(nameOf(message)));
  if (before.length <= OUTBOX_AT_ONCE_MAX || left.length >= before.length || rest.length === 0) return;
  send(step, [...rest, ...left.filter((message) => handled.has(nameOf(message)))]);
}

/** Newest first. */
function messagesOwed(step: Step): readonly OutboxMessage[] {
  const messages = outboxOf(step.state);
  const derived = derivedRefs(step.state);
  const names = new Set(derived.map(nameOf));
  const kept = messages.filter((message) => !DERIVED.has(message.kind) || names.has(nameOf(message)));
  const known = new Set(kept.map(nameOf));
  const added = derived.filter((ref) => !known.has(nameOf(ref))).map((ref) => unsent(ref, step));
  return added.length === 0 && kept.length === messages.length ? messages : [...added, ...kept];
}

/** The messages derived from its tasks and children. */
export function derivedRefs(state: ExecutionState): readonly OutboxRef[] {
  return [
    ...taskUpdates(state).map(({ key }) => ({ kind: "task_update" as const, key })),
    ...childRequests(state).map(({ key }) => ({ kind: "child_request" as const, key })),
  ];
}

function send(step: Step, messages: readonly OutboxMessage[]): void {
  const { now, effects } = step;
  const outbox = messages.map((message) => {
    const isDue = isUnsent(message) || sentAgainAt(message) <= now;
    return { ...message, sentAt: now, tries: message.tries + (isDue ? 1 : 0) };
  });
  change(step, { outbox });
  const earlier = effects.findIndex(({ kind }) => kind === "send");
  if (earlier >= 0) effects.splice(earlier, 1);
  effects.push({ kind: "send", messages: outbox.slice(0, OUTBOX_AT_ONCE_MAX).map(({ kind, key }) => ({ kind, key })) });
}

function unsent({ kind, key }: OutboxRef, { now }: Step): OutboxMessage {
  return { kind, key, sentAt: now, tries: 0 };
}

function isUnsent({ tries }: OutboxMessage): boolean {
  return tries === 0;
}
