// The correlation key of an execution: worked out from its variables, and owed to its tenant's directory, which sends events
// on to whom they concern. Told again with growing gaps until it is confirmed; told twice is told once.
import type { Enlisted, Enlisting } from "#schema/engine/correlation.ts";
import { CORRELATION_KEY_CHARS_MAX, RESEND_GAPS_MS } from "#schema/limits.ts";
import { LISTED_KEYS_MAX } from "#schema/limits/kernel.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { evaluate } from "../../language/logic.ts";
import { change, note, scopeFor, type Step } from "../current-step.ts";

/** At the end of a step. */
export function enlist(step: Step): void {
  const { enlisting } = step.state;
  const rule = step.program.definition.correlation?.key;
  if (rule === undefined) return;
  const known = enlisting?.key ?? null;
  const key = mayDiffer(step) ? keyOf(step, rule) : known;
  // So many changes that the directory has not heard of yet: the last one counts, once it has caught up.
  const isFull = (enlisting?.listed.length ?? 0) >= LISTED_KEYS_MAX && !isFinalStatus(step.state.status);
  if (key === known || isFull) return;
  const listed = [...new Set([...(enlisting?.listed ?? []), ...(key === null ? [] : [key])])];
  note(step, { kind: "correlated", key });
  send(step, { key, since: step.seq, listed, sentAt: null, resends: 0 });
}

/** The directory may not have been told, or is not to be reached. */
export function enlistAgain(step: Step): void {
  const { enlisting } = step.state;
  const at = enlistAt(step.state);
  if (enlisting && at !== null && at <= step.now) send(step, { ...enlisting, resends: enlisting.resends + 1 });
}

/** What is confirmed late of an earlier key, or of an earlier life, counts for nothing. */
export function confirmEnlisted(step: Step, { key, since, incarnation }: Enlisted): null {
  const { enlisting, createdAt } = step.state;
  if (!enlisting || enlisting.sentAt === null || enlisting.since !== since || createdAt !== incarnation) return null;
  change(step, { enlisting: { ...enlisting, listed: key === null ? [] : [key], sentAt: null, resends: 0 } });
  note(step, { kind: "enlisted", key });
  return null;
}

export function enlistAt({ enlisting }: Pick<ExecutionState, "enlisting">): number | null {
  if (!enlisting || enlisting.sentAt === null) return null;
  return enlisting.sentAt + Number(RESEND_GAPS_MS[Math.min(enlisting.resends, RESEND_GAPS_MS.length - 1)]); // in range
}

function send(step: Step, enlisting: Enlisting): void {
  change(step, { enlisting: { ...enlisting, sentAt: step.now } });
  step.effects.push({ kind: "enlist" });
}

/** Rules look at nothing but variables and what never changes. */
function mayDiffer({ state, before }: Step): boolean {
  const isFull = (before.enlisting?.listed.length ?? 0) >= LISTED_KEYS_MAX;
  return state.enlisting === undefined || isFull || state.variables !== before.variables || isFinalStatus(state.status);
}

/** A number is the text it is written as; what is no text or number, or is not there yet, is none. */
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
  const message = `${key.length} characters; the limit is ${CORRELATION_KEY_CHARS_MAX} (CORRELATION_KEY_CHARS_MAX)`;
  note(step, { kind: "correlation_failed", message });
  return null;
}
