// The anchor of a delay that has no instant yet: its rule, and the values that the rule reads. Explanations show both.
import type { Delay } from "#schema/definition/timing.ts";
import type { JsonObject, Json, Rule } from "#schema/json.ts";
import type { Step } from "../execution/current-step.ts";
import { delayObject } from "../language/timing.ts";
import { shortValue } from "../language/rule-parts.ts";
import { valuesOf, type RuleContext } from "../execution/rule-values.ts";

export function openAnchorOf({ program, ...step }: Step, delay: Delay, seen: RuleContext): Anchor {
  const written = delayObject(delay, program.definition.delays ?? {});
  const rule = written?.anchor ?? null;
  return { anchor: shortValue(rule), values: valuesOf({ program, ...step }, rule, seen) };
}

type Anchor = { readonly anchor: Rule; readonly values: JsonObject };

/** The delay as the author wrote it: its name, or the whole object. */
export function writtenDelay(delay: Delay): Json {
  return shortValue(delay as Json); // A delay is plain JSON.
}
