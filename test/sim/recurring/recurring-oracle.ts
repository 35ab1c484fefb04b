// The oracle of a recurring action's history: each occurrence has one outcome, and an occurrence that was not
// dispatched was not started.
import { occurrencesBetween } from "#kernel/calendar/occurrences.ts";
import { ruleOf } from "#policy/calendar/rule.ts";
import type { OccurrenceRow } from "#schema/recurring/state.ts";
import { text, type RecurringWorld } from "./recurring-world.ts";

const ALL = 100_000;

export function findingsOf(world: RecurringWorld): readonly string[] {
  const rows = [...world.disk.rows.values()];
  const expected = expectedOf(world);
  return [...world.findings, ...covered(rows, expected), ...counted(rows, expected), ...startedOnce(world, rows)];
}

/** All occurrences of the rule that applied at their time, up to the last processed one. */
function expectedOf({ eras, disk }: RecurringWorld): readonly number[] {
  const { state } = disk;
  const until = state?.doneUntil ?? 0;
  // Occurrences held by a pause get their row when it ends.
  const held = state?.pause?.from ?? null;
  return eras.flatMap(({ from, rule }, n) => {
    const to = Math.min(eras[n + 1]?.from ?? Infinity, until);
    return occurrencesBetween(ruleOf({ rule }), from + 1, to + 1, ALL)
      .occurrences.map(({ at }) => at)
      .filter((at) => at !== held);
  });
}

function covered(rows: readonly OccurrenceRow[], expected: readonly number[]): readonly string[] {
  const singles = rows.filter(({ nominal, until }) => nominal !== null && until === null);
  const ranges = rows.filter(({ until }) => until !== null);
  const excluded = new Set(singles.filter(({ outcome }) => outcome === "excluded").map(({ nominal }) => nominal));
  const wanted = new Set(expected);
  const strays = singles.filter(({ nominal, outcome }) => outcome !== "excluded" && !wanted.has(nominal ?? 0));
  const wrong = expected.flatMap((at) => {
    const own = singles.filter(({ nominal }) => nominal === at).length;
    const within = excluded.has(at) ? 0 : ranges.filter(({ nominal, until }) => isIn(at, nominal, until)).length;
    return own + within === 1 ? [] : [`${text(at)} has ${own + within} outcomes`];
  });
  return [...wrong, ...strays.map(({ nominal }) => `${text(nominal ?? 0)} is no occurrence, and has an outcome`)];
}

function counted(rows: readonly OccurrenceRow[], expected: readonly number[]): readonly string[] {
  const singles = new Set(rows.flatMap(({ nominal, until }) => (nominal !== null && until === null ? [nominal] : [])));
  return rows.flatMap(({ nominal, until, count, isCapped }) => {
    if (until === null || isCapped) return [];
    const within = expected.filter((at) => isIn(at, nominal, until) && !singles.has(at)).length;
    return within === count
      ? []
      : [`${text(nominal ?? 0)} to ${text(until)} counts ${count}, and there were ${within}`];
  });
}

/** Checks that each occurrence was started once, although it may be requested twice under one key. */
function startedOnce({ started }: RecurringWorld, rows: readonly OccurrenceRow[]): readonly string[] {
  const sent = new Set(rows.filter(({ outcome }) => outcome === "dispatched").map(({ id }) => id));
  const given = new Set(
    rows.filter(({ outcome, error }) => outcome === "missed" && error !== null).map(({ id }) => id),
  );
  const missing = [...sent].filter((id) => !started.has(id)).map((id) => `${id} says it was dispatched, and was not`);
  const more = [...started.keys()].filter((id) => !sent.has(id) && !given.has(id));
  return [...missing, ...more.map((id) => `${id} was started, and its row does not say so`)];
}

function isIn(at: number, from: number | null, until: number | null): boolean {
  return from !== null && until !== null && from <= at && at <= until;
}
