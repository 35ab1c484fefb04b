// A rule from an expression, and its occurrences as readable lines.
import { parseCron } from "#kernel/calendar/cron.ts";
import { nextOccurrence, occurrencesBetween, type Occurrence, type Rule } from "#kernel/calendar/occurrences.ts";

export type Choice = { readonly gap?: Rule["gap"]; readonly fold?: Rule["fold"] };

export function ruleOf(expression: string, timezone = "UTC", { gap = "shift", fold = "auto" }: Choice = {}): Rule {
  const parsed = parseCron(expression);
  if (!parsed.ok) throw new Error(`${expression}: ${parsed.message}`);
  return { cron: parsed.cron, timezone, gap, fold };
}

export function lineOf(occurrence: Occurrence | null): string {
  if (occurrence === null) return "none";
  const { at, local, utcOffset, dst } = occurrence;
  return `${new Date(at).toISOString().slice(0, 19)}Z ${local.slice(11)}${utcOffset} ${dst}`;
}

/** All occurrences from one instant to another, as lines. */
export function linesOf(rule: Rule, from: string, to: string): readonly string[] {
  const { occurrences, more } = occurrencesBetween(rule, Date.parse(from), Date.parse(to), 1_000);
  if (more) throw new Error("more occurrences than a test should read");
  return occurrences.map(lineOf);
}

export function nextAt(rule: Rule, after: string): string {
  const next = nextOccurrence(rule, Date.parse(after));
  return next === null ? "none" : new Date(next.at).toISOString();
}
