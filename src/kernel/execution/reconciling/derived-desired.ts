// Derived desired state: fields of a reconciler's desired state that rules compute from the variables. They are derived at
// the start, and in each step that changes the variables. Clients cannot set them.
import type { DesiredState } from "#schema/engine/reconciling.ts";
import type { JsonObject } from "#schema/json.ts";
import { DESIRED_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { refuse } from "#schema/refusal.ts";
import { assert } from "../../assert.ts";
import { childPointer, isSameJson, jsonBytes } from "../../language/json-values.ts";
import { evaluate } from "../../language/logic.ts";
import type { RefusalOrNull } from "../control.ts";
import { addEntry, changeState, type Step } from "../current-step.ts";
import type { Ticks } from "../program.ts";

const ENGINE = { kind: "engine", id: "engine" } as const;

/** Derives the fields again if the step has changed the variables. Refuses the step's input if a rule fails. */
export function deriveDesired(step: Step): RefusalOrNull {
  const { reconciling, variables } = step.state;
  if (reconciling === undefined || variables === step.before.variables) return null;
  const derived = derivedFrom(step, reconciling.desired);
  if (!derived.ok) return derived;
  const { value } = derived;
  if (isSameJson(value, reconciling.desired.value)) return null;
  const revision = reconciling.desired.revision + 1;
  changeState(step, { reconciling: { ...reconciling, desired: { value, revision, at: step.now } } });
  addEntry(step, { kind: "desired", revision, desired: value, actor: ENGINE, reason: "derived" });
  return null;
}

/** Derives the fields at the start, as a part of the first revision. */
export function deriveFirstDesired(step: Step): RefusalOrNull {
  const { reconciling } = step.state;
  if (reconciling === undefined) return null;
  const derived = derivedFrom(step, reconciling.desired);
  if (!derived.ok) return derived;
  const desired = { ...reconciling.desired, value: derived.value };
  changeState(step, { reconciling: { ...reconciling, desired } });
  return null;
}

type Derived = { readonly ok: true; readonly value: JsonObject } | Exclude<RefusalOrNull, null>;

function derivedFrom(step: Step, { value: before }: Pick<DesiredState, "value">): Derived {
  const { variables } = step.state;
  const scope = { variables, execution: { variables } };
  const value: { [field: string]: JsonObject[string] } = { ...before };
  for (const [field, rule] of Object.entries(rulesOf(step))) {
    const found = evaluate(rule, scope, step.work);
    if (!found.ok) return refuseFault(field, found.message);
    if (found.value === null) delete value[field];
    else value[field] = found.value;
  }
  const size = jsonBytes(value);
  if (size <= DESIRED_BYTES_MAX) return { ok: true, value };
  const message = `the derived desired state would have ${size} bytes; the limit is ${DESIRED_BYTES_MAX} (DESIRED_BYTES_MAX)`;
  return refuse({ code: "limit_exceeded", message, errors: [{ pointer: "/variables", code: "too_large", message }] });
}

function refuseFault(field: string, fault: string) {
  const message = `the rule ${childPointer("/deriveDesired", field)} cannot be evaluated with these variables: ${fault}`;
  return refuse({ code: "invalid_input", message, errors: [{ pointer: "/variables", code: "rule_fault", message }] });
}

/** Refuses a desired state from a client that sets a derived field to another value. `current`: the desired state now. */
export function refuseDerivedFields(step: Step, desired: JsonObject, current: JsonObject): RefusalOrNull {
  const field = Object.keys(rulesOf(step)).find(
    (name) => Object.hasOwn(desired, name) && !isSameJson(desired[name], current[name] ?? null),
  );
  if (field === undefined) return null;
  const message = `the field ${field} of the desired state is derived from the variables`;
  const hint = "Change the variables (patch) instead, or omit the field.";
  return refuse({
    code: "invalid_input",
    message,
    errors: [{ pointer: childPointer("/desired", field), code: "derived_field", message, hint }],
  });
}

/** The derived fields of the current desired state, which a replacement by a client keeps. */
export function derivedPart(step: Step, current: JsonObject): JsonObject {
  const rules = rulesOf(step);
  return Object.fromEntries(Object.entries(current).filter(([field]) => Object.hasOwn(rules, field)));
}

function rulesOf({ program: { ticks } }: Step): Ticks["deriveDesired"] {
  assert(ticks, "only a reconciler has a desired state");
  return ticks.deriveDesired;
}
