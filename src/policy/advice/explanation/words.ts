// Formats reason codes and evaluated rules as words.
import type { EvaluatedRule } from "#schema/engine/explanation.ts";

export function spacedCode(code: string): string {
  return code.replaceAll("_", " ");
}

/** Names the false guards or conditions with the values that they read; empty if none is false. */
export function falseRulesSentence(guards: readonly EvaluatedRule[], what: string): string {
  const no = guards.filter(({ result }) => result === false);
  const broken = guards.filter(({ fault }) => fault !== undefined);
  if (broken.length > 0) return ` Its ${what} cannot be evaluated: ${broken.map(({ fault }) => fault).join("; ")}.`;
  if (no.length === 0) return "";
  const seen = seenIn(no);
  const because = seen === "" ? "" : ` (${seen})`;
  return ` Its ${what} ${no.length === 1 ? "is" : "are"} false now${because}.`;
}

/** Names the values that the rules read; empty if they read none. */
export function valuesReadSentence(asked: readonly EvaluatedRule[]): string {
  const seen = seenIn(asked);
  return seen === "" ? "" : ` Values read: ${seen}.`;
}

function seenIn(asked: readonly EvaluatedRule[]): string {
  const seen = asked.flatMap(({ values }) =>
    Object.entries(values).map(([path, value]) => `${path} is ${said(value)}`),
  );
  return [...new Set(seen)].join(", ");
}

function said(value: unknown): string {
  return value === null ? "missing" : JSON.stringify(value);
}
