// The outbox of an execution: messages to its parent, children, tasks, directory and subject. Each message is sent
// again until its recipient confirms it.
import type { Input } from "#schema/engine/input.ts";
import type { OutboxKind, OutboxMessage, OutboxRef, Confirmation, ParentAnswer } from "#schema/engine/outbox.ts";
import { type ExecutionState, isFinalStatus } from "#schema/engine/state.ts";
import { CORRELATION_KEY_CHARS_MAX, EARLIER_KEYS_MAX } from "#schema/limits/executions.ts";
import { OUTBOX_MESSAGES_PER_DELIVERY_MAX } from "#schema/limits/run-attempts.ts";
import { evaluate } from "../../language/logic.ts";
import { childRequests, finishChildRequest } from "../children/children-on-end.ts";
import { changeState, type Step, addEntry, scopeFor } from "../current-step.ts";
import { applyStartPlace } from "../limits/start-place.ts";
import { handleByParent } from "../retries/handled.ts";
import { addToOutbox, messageName, newMessage, outboxOf, removeFromOutbox } from "./own-outbox.ts";
import { taskUpdates, finishTaskUpdate } from "../tasks/task-updates.ts";
import { sentAgainAt } from "../../waiting/deadlines.ts";

/**
 * Kinds of messages that are derived from the tasks and children in the state, at each step. Messages of all other
 * kinds are added explicitly, and removed when they are confirmed.
 */
const DERIVED: ReadonlySet<OutboxKind> = new Set(["task_update", "child_request"]);
/** Called at the end of a step: sends new messages immediately, and removes messages that are no longer needed. */
export function sendOutbox(step: Step): void {
  const messages = neededMessages(step);
  if (messages.some(isUnsent)) sendMessages(step, messages);
  else if (messages !== step.state.outbox && step.state.outbox) changeState(step, { outbox: messages });
}

/**
 * Sends messages again that were not confirmed in time, because the message or its confirmation may be lost. If one
 * delivery cannot carry all of them, they take turns.
 */
export function sendDueAgain(step: Step): void {
  const messages = outboxOf(step.state);
  if (!messages.some((message) => sentAgainAt(message) <= step.now)) return;
  const first = messages.length > OUTBOX_MESSAGES_PER_DELIVERY_MAX ? OUTBOX_MESSAGES_PER_DELIVERY_MAX : 0;
  sendMessages(step, [...messages.slice(first), ...messages.slice(0, first)]);
}

/**
 * Called after confirmations: sends the messages that did not fit into the last delivery. Sends nothing if the
 * confirmations removed no message, so that the exchange ends.
 */
export function sendRest(step: Step, before: readonly OutboxMessage[], confirmed: readonly OutboxRef[]): void {
  const left = neededMessages(step);
  const handled = new Set(confirmed.map(messageName));
  const rest = left.filter((message) => !handled.has(messageName(message)));
  if (before.length <= OUTBOX_MESSAGES_PER_DELIVERY_MAX || left.length >= before.length || rest.length === 0) return;
  sendMessages(step, [...rest, ...left.filter((message) => handled.has(messageName(message)))]);
}

/** All messages that are still needed, newest first. */
function neededMessages(step: Step): readonly OutboxMessage[] {
  const messages = outboxOf(step.state);
  const derived = derivedRefs(step.state);
  const names = new Set(derived.map(messageName));
  const kept = messages.filter((message) => !DERIVED.has(message.kind) || names.has(messageName(message)));
  const known = new Set(kept.map(messageName));
  const added = derived.filter((ref) => !known.has(messageName(ref))).map((ref) => newMessage(ref, step));
  return added.length === 0 && kept.length === messages.length ? messages : [...added, ...kept];
}

/** The messages derived from the execution's tasks and children. */
export function derivedRefs(state: ExecutionState): readonly OutboxRef[] {
  return [
    ...taskUpdates(state).map(({ key }) => ({ kind: "task_update" as const, key })),
    ...childRequests(state).map(({ key }) => ({ kind: "child_request" as const, key })),
  ];
}

function sendMessages(step: Step, messages: readonly OutboxMessage[]): void {
  const { now, effects } = step;
  const outbox = messages.map((message) => {
    const isDue = isUnsent(message) || sentAgainAt(message) <= now;
    return { ...message, sentAt: now, tries: message.tries + (isDue ? 1 : 0) };
  });
  changeState(step, { outbox });
  const earlier = effects.findIndex(({ kind }) => kind === "send");
  if (earlier >= 0) effects.splice(earlier, 1);
  effects.push({
    kind: "send",
    messages: outbox.slice(0, OUTBOX_MESSAGES_PER_DELIVERY_MAX).map(({ kind, key }) => ({ kind, key })),
  });
}

function isUnsent({ tries }: OutboxMessage): boolean {
  return tries === 0;
}

/** Applies confirmations of messages. Confirmations for an earlier execution with the same id are ignored. */
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
    case "start_place":
      return applyStartPlace(step, item);
  }
}

/**
 * Called at the end of a step: if the correlation key has changed, stores the new key and sends it to the directory.
 */
export function registerCorrelationKey(step: Step): void {
  const { correlation } = step.state;
  const rule = step.program.definition.correlation?.key;
  if (rule === undefined) return;
  const current = correlation?.key ?? null;
  const key = mayKeyDiffer(step) ? correlationKeyOf(step, rule) : current;
  // The directory has not confirmed too many earlier keys. The new key is registered in a later step, after a
  // confirmation.
  const isFull = (correlation?.registered.length ?? 0) >= EARLIER_KEYS_MAX && !isFinalStatus(step.state.status);
  if (key === current || isFull) return;
  const registered = [...new Set([...(correlation?.registered ?? []), ...(key === null ? [] : [key])])];
  addEntry(step, { kind: "correlated", key });
  changeState(step, { correlation: { key, since: step.seq, registered } });
  addToOutbox(step, "correlation_key", String(step.seq));
}

/** Stores that the directory has the current correlation key. A late confirmation of an earlier key changes nothing. */
export function confirmCorrelationKey(step: Step, message: OutboxRef): void {
  const { correlation } = step.state;
  if (!correlation || !removeFromOutbox(step, message)) return;
  const { key } = correlation;
  changeState(step, { correlation: { ...correlation, registered: key === null ? [] : [key] } });
  addEntry(step, { kind: "correlation_key_registered", key });
}

/**
 * True if the correlation key may have changed in this step. The key's rule reads only variables and constant fields.
 */
function mayKeyDiffer({ state, before }: Step): boolean {
  const isFull = (before.correlation?.registered.length ?? 0) >= EARLIER_KEYS_MAX;
  return (
    state.correlation === undefined || isFull || state.variables !== before.variables || isFinalStatus(state.status)
  );
}

/**
 * The current correlation key. A number is converted to text. null if the definition has no rule for a key, or if the
 * rule gives neither a text nor a number.
 */
function correlationKeyOf(step: Step, rule: Parameters<typeof evaluate>[0]): string | null {
  if (isFinalStatus(step.state.status)) return null;
  const scope = scopeFor(step, { message: null, previousState: null, currentState: "" });
  const found = evaluate(rule, scope, step.work);
  if (!found.ok) {
    addEntry(step, { kind: "correlation_failed", message: found.message });
    return null;
  }
  const { value } = found;
  const key = typeof value === "number" ? String(value) : value;
  if (typeof key !== "string" || key === "") return null;
  if (key.length <= CORRELATION_KEY_CHARS_MAX) return key;
  const message = `the correlation key has ${key.length} characters; the limit is ${CORRELATION_KEY_CHARS_MAX} (CORRELATION_KEY_CHARS_MAX)`;
  addEntry(step, { kind: "correlation_failed", message });
  return null;
}

export function notifyOfEnd(step: Step): void {
  const { parent, subject } = step.state;
  if (parent && parent.waits !== false) addToOutbox(step, "child_ended", parent.execution);
  if (subject) addToOutbox(step, "subject_ended", subject.key);
}

export function confirmChildEnded(step: Step, { refused, took, ...message }: OutboxRef & ParentAnswer): void {
  if (!removeFromOutbox(step, message)) return;
  if (took !== undefined) handleByParent(step, message.key, took);
  addEntry(step, { kind: "parent_notified", parent: message.key, refused });
}

export function confirmSubjectEnded(step: Step, message: OutboxRef): void {
  if (removeFromOutbox(step, message)) addEntry(step, { kind: "subject_notified" });
}
