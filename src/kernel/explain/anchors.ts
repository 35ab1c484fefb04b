// The anchor of a delay that cannot be resolved yet: its rule, and the values that the rule reads. Part of an
// explanation.
import type { Delay } from "#schema/definition/timing.ts";
import type { JsonObject, Json, Rule } from "#schema/json.ts";
import type { Step } from "../execution/current-step.ts";
import { writtenOut } from "../language/timing.ts";
import { short } from "../language/rule-parts.ts";
import { valuesOf, type RuleContext } from "../execution/rule-values.ts";

export function anchorOf({ program, ...step }: Step, delay: Delay, seen: RuleContext): Anchor {
  const written = writtenOut(delay, program.definition.delays ?? {});
  const rule = written?.anchor ?? null;
  return { anchor: short(rule), values: valuesOf({ program, ...step }, rule, seen) };
}

type Anchor = { readonly anchor: Rule; readonly values: JsonObject };

/** The delay as written: its name, or the whole object. */
export function delayOf(delay: Delay): Json {
  return short(delay as Json); // a delay is JSON
}
