// Evaluation of rules for explanations: a rule's current result, and the values that the rule reads. A rule that
// depends on a future event has no result yet.
import type { EvaluatedRule } from "#schema/engine/explanation.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Trigger } from "#schema/engine/state.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { JOURNALED_VALUES_BYTES_MAX } from "#schema/limits/executions.ts";
import { currentState, scopeFor, type Step } from "./current-step.ts";
import { isPlainObject, jsonBytes } from "../language/json-values.ts";
import { truthy } from "../language/logic.ts";
import { parsedRule, shortValue, valuesRead } from "../language/rule-parts.ts";

/**
 * What a rule reads besides the state: its trigger and its additional names. `trigger`: null if the rule depends on an
 * event that has not arrived or is unknown.
 */
export type RuleContext = { readonly trigger: Omit<Trigger, "seq"> | null } & Pick<Run, "given">;
export const FUTURE_EVENT: RuleContext = { trigger: null };

export function explainRule(step: Step, at: string, rule: Rule, seen: RuleContext): EvaluatedRule {
  const read = parsedRule(rule);
  const isOpen = seen.trigger === null && readsMessage(read);
  const asked = isOpen ? null : truthy(rule, scopeOfContext(step, seen), step.work);
  const shown = { at, rule: shortValue(rule), values: valuesOf(step, read, seen) };
  if (asked === null) return { ...shown, result: null };
  return asked.ok ? { ...shown, result: asked.value } : { ...shown, result: null, fault: asked.message };
}

/** The values that a rule has read, as a field for the journal. If the values are too large, the field is left out. */
export function valuesForJournal(step: Step, rule: Rule, seen: RuleContext): { readonly values?: JsonObject } {
  const values = valuesOf(step, parsedRule(rule), seen);
  return jsonBytes(values) > JOURNALED_VALUES_BYTES_MAX ? {} : { values };
}

/** The values of all paths that the rule names outside of loops. Paths that the rule computes are left out. */
export function valuesOf(step: Step, rule: Rule, seen: RuleContext): JsonObject {
  return valuesRead(
    rule,
    scopeOfContext(step, seen),
    step.work,
    (path) => seen.trigger !== null || !isMessagePath(path),
  );
}

/**
 * What a run's rules read. The run's trigger is still stored, because the state keeps each trigger to which a run or
 * timer refers.
 */
export function contextOfRun({ state }: Step, { trigger: seq, ...of }: Pick<Run, "trigger" | "given">): RuleContext {
  const trigger = state.triggers.find((each) => each.seq === seq) ?? null;
  return of.given === undefined ? { trigger } : { trigger, given: of.given };
}

function scopeOfContext(step: Step, { trigger, given }: RuleContext): JsonObject {
  const at = currentState(step.state);
  const scope = scopeFor(step, trigger ?? { message: null, previousState: at, currentState: at });
  return { ...scope, ...given };
}

/**
 * True if the rule reads the message. Also true if the rule computes a path, because this path may lead to the message.
 */
function readsMessage(rule: Json): boolean {
  if (typeof rule === "string") return isMessagePath(rule);
  if (Array.isArray(rule)) return (rule as readonly Json[]).some(readsMessage);
  if (!isPlainObject(rule)) return false;
  return Object.entries(rule as JsonObject).some(([name, operand]) => {
    const [path] = Array.isArray(operand) ? (operand as readonly Json[]) : [operand];
    return (name === "var" && isPlainObject(path)) || readsMessage(operand);
  });
}

function isMessagePath(path: string): boolean {
  return /^(?:\.\.\/)*message(?:\.|$)/.test(path);
}
