// Rules for time zones: errors in them, and rules that return something else than a time zone.
import type { Definition } from "#schema/definition/definition.ts";
import type { Json } from "#schema/json.ts";
import type { Finding, Warning } from "#schema/refusal.ts";
import { isZone } from "../../calendar/zone.ts";
import { evaluate, ruleFindings } from "../../language/logic.ts";
import { shortValue } from "../../language/rule-parts.ts";
import { readsData } from "../constant-result.ts";
import { finding, warning } from "../finding.ts";
import type { PlacedRule } from "./rules-and-templates.ts";

const CODE = "not_a_time_zone";
const FIX = "Return an IANA time zone such as Europe/Zurich, or write the name of the time zone instead of the rule.";

/** Errors in a rule of a definition. */
export function placedRuleFindings(placed: PlacedRule): readonly Finding[] {
  if (placed.isZone === true) return zoneFindings(placed);
  return ruleFindings(placed.rule, placed.where, placed.isCondition ? "condition" : "value");
}

/** Errors in the rule for a time zone. A rule that reads no data must return a time zone. */
export function zoneFindings({ rule, where }: PlacedRule): readonly Finding[] {
  const found = ruleFindings(rule, where);
  if (found.length > 0 || readsData(rule)) return found;
  const result = evaluate(rule, {});
  if (!result.ok || isZoneName(result.value)) return [];
  return [finding(where, CODE, `the rule always returns ${shown(result.value)}, which is not a time zone`, FIX)];
}

/** Warns if the initial variables make a rule return a text that is not a time zone, such as a misspelled default. */
export function zoneWarnings(rules: readonly PlacedRule[], { variables = {} }: Definition): readonly Warning[] {
  return rules.flatMap(({ rule, where, isZone: isForZone }) => {
    if (isForZone !== true) return [];
    const result = evaluate(rule, { execution: { variables } });
    if (!result.ok || typeof result.value !== "string" || isZoneName(result.value)) return [];
    const message = `with the initial variables, the rule returns ${shown(result.value)}, which is not a time zone`;
    return [warning(where, CODE, message, { fix: FIX })];
  });
}

function isZoneName(value: Json): boolean {
  return typeof value === "string" && isZone(value);
}

function shown(value: Json): string {
  return JSON.stringify(shortValue(value));
}
