// The correlation key of an execution: evaluated from its variables, and registered in its tenant's directory, which
// delivers published events to the executions that have their key.
import type { OutboxRef } from "#schema/engine/outbox.ts";
import { CORRELATION_KEY_CHARS_MAX } from "#schema/limits.ts";
import { LISTED_KEYS_MAX } from "#schema/limits/kernel.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { evaluate } from "../../language/logic.ts";
import { change, note, scopeFor, type Step } from "../current-step.ts";
import { addToOutbox, removeFromOutbox } from "./outbox.ts";

/** At the end of a step: registers the key if it has changed. */
export function registerCorrelationKey(step: Step): void {
  const { correlation } = step.state;
  const rule = step.program.definition.correlation?.key;
  if (rule === undefined) return;
  const current = correlation?.key ?? null;
  const key = mayDiffer(step) ? keyOf(step, rule) : current;
  // Too many keys are unconfirmed: the last one is registered later.
  const isFull = (correlation?.registered.length ?? 0) >= LISTED_KEYS_MAX && !isFinalStatus(step.state.status);
  if (key === current || isFull) return;
  const registered = [...new Set([...(correlation?.registered ?? []), ...(key === null ? [] : [key])])];
  note(step, { kind: "correlated", key });
  change(step, { correlation: { key, since: step.seq, registered } });
  addToOutbox(step, "correlation_key", String(step.seq));
}

/** A late confirmation of an earlier key changes nothing. */
export function confirmCorrelationKey(step: Step, message: OutboxRef): void {
  const { correlation } = step.state;
  if (!correlation || !removeFromOutbox(step, message)) return;
  const { key } = correlation;
  change(step, { correlation: { ...correlation, registered: key === null ? [] : [key] } });
  note(step, { kind: "enlisted", key });
}

/** The rule reads only variables and constant fields. */
function mayDiffer({ state, before }: Step): boolean {
  const isFull = (before.correlation?.registered.length ?? 0) >= LISTED_KEYS_MAX;
  return (
    state.correlation === undefined || isFull || state.variables !== before.variables || isFinalStatus(state.status)
  );
}

/** A number is converted to text. Any other value that is not a text is no key. */
function keyOf(step: Step, rule: Parameters<typeof evaluate>[0]): string | null {
  if (isFinalStatus(step.state.status)) return null;
  const scope = scopeFor(step, { message: null, previousState: null, currentState: "" });
  const found = evaluate(rule, scope, step.work);
  if (!found.ok) {
    note(step, { kind: "correlation_failed", message: found.message });
    return null;
  }
  const { value } = found;
  const key = typeof value === "number" ? String(value) : value;
  if (typeof key !== "string" || key === "") return null;
  if (key.length <= CORRELATION_KEY_CHARS_MAX) return key;
  const message = `the correlation key has ${key.length} characters; the limit is ${CORRELATION_KEY_CHARS_MAX} (CORRELATION_KEY_CHARS_MAX)`;
  note(step, { kind: "correlation_failed", message });
  return null;
}
