// Compares the calendar with the oracle for one random expression in one zone: forwards, backwards, and from instants
// in between.
import { parseCron } from "#kernel/calendar/cron.ts";
import {
  nextOccurrence,
  occurrencesBetween,
  previousOccurrence,
  type Occurrence,
  type Rule,
} from "#kernel/calendar/occurrences.ts";
import { expectedBetween, type Choice, type Expected } from "./oracle.ts";
import { drawCron, drawer } from "./random-crons.ts";

/** The number of occurrences compared per expression. More of one expression would test the same code again. */
const COMPARED_MAX = 5_000;
const GAPS = ["shift", "shift", "shift", "skip"] as const;
const FOLDS = ["auto", "auto", "auto", "first", "last", "both"] as const;

/** Throws at the first difference, with the values that replay it. Returns the number of occurrences compared. */
export function compareCalendars(seed: number, zone: string, span: readonly [number, number]): number {
  const drawn = drawCron(seed);
  const draw = drawer(seed ^ 0x5bd1e995);
  const choice: Choice = { gap: GAPS[draw(4)] ?? "shift", fold: FOLDS[draw(6)] ?? "auto" };
  const place = `seed ${seed}: ${drawn.text} in ${zone} from ${new Date(span[0]).toISOString()}, ${JSON.stringify(choice)}`;
  const parsed = parseCron(drawn.text);
  const expected = expectedBetween(drawn, zone, span, choice);
  if (!parsed.ok) {
    same(place, parsed.code, "never_due");
    same(place, expected.length, 0);
    return 0;
  }
  const rule: Rule = { cron: parsed.cron, timezone: zone, ...choice };
  const found = occurrencesBetween(rule, span[0], span[1], COMPARED_MAX).occurrences.map(lineOf);
  const wanted = expected.slice(0, COMPARED_MAX).map(expectedLine);
  same(place, found.length, wanted.length);
  for (const [index, line] of wanted.entries()) same(place, found[index], line);
  comparePoints(place, rule, expected, span, draw);
  return wanted.length;
}

/** Compares the next and previous occurrence from instants inside the span. The ends of the list are not compared. */
function comparePoints(
  place: string,
  rule: Rule,
  expected: readonly Expected[],
  [from, to]: readonly [number, number],
  draw: (below: number) => number,
): void {
  for (let point = 0; point < 6; point += 1) {
    const at = expected[draw(Math.max(1, expected.length))]?.at;
    const moved = [0, 1, -1, 1_000, -30_000, 61_000][draw(6)] ?? 0;
    const now = draw(3) === 0 || at === undefined ? from + draw(to - from) : at + moved;
    const here = `${place}, at ${new Date(now).toISOString()}`;
    const next = expected.find((each) => each.at > now);
    const found = nextOccurrence(rule, now);
    if (next !== undefined) same(here, lineOf(found), expectedLine(next));
    else if (found !== null && now < to) same(here, found.at >= to, true);
    const previous = expected.findLast((each) => each.at < now);
    const before = previousOccurrence(rule, now);
    if (previous !== undefined) same(here, lineOf(before), expectedLine(previous));
    else if (before !== null && now > from) same(here, before.at < from, true);
  }
}

function lineOf(occurrence: Occurrence | null): string {
  if (occurrence === null) return "none";
  const { at, local, utcOffset, dst } = occurrence;
  return `${at} ${local} ${utcOffset} ${dst}`;
}

function expectedLine({ at, local, ahead, dst }: Expected): string {
  const minutes = Math.abs(ahead) / 60_000;
  const two = (number: number): string => String(number).padStart(2, "0");
  const offset = `${ahead < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${at} ${local} ${offset} ${dst}`;
}

function same(place: string, found: unknown, expected: unknown): void {
  if (found === expected) return;
  throw new Error(`${place}\nfound    ${String(found)}\nexpected ${String(expected)}`);
}
