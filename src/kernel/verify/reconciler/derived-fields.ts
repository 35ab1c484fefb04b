// Errors in the rules that derive the desired state: they read only variables, and derive fields that `desired` does not set.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { Finding } from "#schema/refusal.ts";
import { parsedRule, partsOf } from "../../language/rule-parts.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { finding } from "../finding.ts";

export function derivedFieldFindings({ deriveDesired = {}, desired = {} }: ReconcilerDefinition): readonly Finding[] {
  return Object.entries(deriveDesired).flatMap(([field, rule]) => [
    ...(Object.hasOwn(desired, field)
      ? [
          finding(
            pointer("/desired", field),
            "derived_field",
            `the field ${field} is derived, so its initial value has no effect`,
            "Remove the field here, or its rule in deriveDesired.",
          ),
        ]
      : []),
    ...partsOf(parsedRule(rule), pointer("/deriveDesired", field)).flatMap(({ kind, text, at }) =>
      kind === "text" || READABLE.test(text)
        ? []
        : [finding(at, "not_a_variable", `${text} is not a variable`, "Read variables only, such as variables.name.")],
    ),
  ]);
}

/** The paths that a rule of `deriveDesired` may read. */
const READABLE = /^(?:execution\.)?variables(?:\.|$)/;
