// Formats reason codes and evaluated rules as words for sentences.
import type { EvaluatedRule } from "#schema/engine/explanation.ts";

export function spacedCode(code: string): string {
  return code.replaceAll("_", " ");
}

/** Lists the false guards or conditions, with the values that they read. Returns an empty text if none is false. */
export function falseRulesSentence(guards: readonly EvaluatedRule[], what: string): string {
  const falseRules = guards.filter(({ result }) => result === false);
  const invalid = guards.filter(({ fault }) => fault !== undefined);
  if (invalid.length > 0) return ` Its ${what} cannot be evaluated: ${invalid.map(({ fault }) => fault).join("; ")}.`;
  if (falseRules.length === 0) return "";
  const values = valuesRead(falseRules);
  const because = values === "" ? "" : ` (${values})`;
  return ` Its ${what}${falseRules.length === 1 ? " is" : "s are"} false now${because}.`;
}

/** Lists the values that the rules have read. Returns an empty text if they have read none. */
export function valuesReadSentence(rules: readonly EvaluatedRule[]): string {
  const values = valuesRead(rules);
  return values === "" ? "" : ` Values read: ${values}.`;
}

function valuesRead(rules: readonly EvaluatedRule[]): string {
  const texts = rules.flatMap(({ values }) =>
    Object.entries(values).map(([path, value]) => `${path} is ${valueText(value)}`),
  );
  return [...new Set(texts)].join(", ");
}

function valueText(value: unknown): string {
  return value === null ? "missing" : JSON.stringify(value);
}
