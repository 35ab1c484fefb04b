// Decides whether a subject may enter a journey, for the first time or again. An admitted execution that has not
// reported is in doubt, so the Worker asks its cell. Its admission expires first, so that it cannot start meanwhile.
import { ADMISSION_GRACE_MS, ADMISSION_MS, ENROLMENTS_KEPT } from "#schema/limits/subjects/subject-rows.ts";
import type {
  ExecutionEndReport,
  EnrollAnswer,
  EnrollRequest,
  Enrolment,
  EnrolmentFinding,
  JourneyRow,
  Reentry,
} from "#schema/subject/enrolment.ts";

export type EnrollResult = {
  /** The journey's row to store. */
  readonly row: JourneyRow;
  readonly answer: EnrollAnswer;
};

/** Decides about a start. `known`: the stored row; null if the subject was never in the journey. */
export function enroll(stored: JourneyRow | null, ask: EnrollRequest, now: number): EnrollResult {
  const row = ask.found.reduce((before, found) => applyFinding(before, found, now), stored ?? emptyRow(ask));
  const own = row.enrolments.findLast(({ execution }) => execution === ask.execution);
  if (own !== undefined && own.ended === null) return admit(row, ask, own, now);
  if (own !== undefined && !ask.isGone) return { row, answer: { kind: "repeated" } };
  const checked = new Set(ask.found.map(({ execution }) => execution));
  const reentry = ask.again !== undefined && ask.reentry === "once" ? "after_finish" : ask.reentry;
  for (const each of row.enrolments) {
    if (each.execution === ask.again) continue;
    const blocked = blockedBy(each, reentry, checked.has(each.execution), now);
    if (blocked !== null) return { row, answer: blocked };
  }
  return admit(row, ask, null, now);
}

/** Applies the Worker's findings about executions in doubt, outside of a start. Returns null if there is no row. */
export function applyFindings(
  row: JourneyRow | null,
  found: readonly EnrolmentFinding[],
  now: number,
): JourneyRow | null {
  return row === null ? null : found.reduce((before, finding) => applyFinding(before, finding, now), row);
}

/**
 * Withdraws an admission whose cell refused the start; null if there is none. A start that was admitted meanwhile has
 * another turn number.
 */
export function withdrawAdmission(row: JourneyRow | null, execution: string, turn: number): JourneyRow | null {
  const isMatch = (each: Enrolment): boolean =>
    each.execution === execution && each.turn === turn && each.ended === null;
  if (row === null || !row.enrolments.some(isMatch)) return null;
  return { ...row, enrolments: row.enrolments.filter((each) => !isMatch(each)) };
}

/**
 * Records the end of an enrolled execution. Returns null if the row does not change. Reports of an earlier incarnation
 * are ignored. Clocks differ, so an execution may seem to be created before its admission: the comparison allows for
 * that.
 */
export function endEnrolment(
  row: JourneyRow | null,
  { execution, incarnation, end: ended }: ExecutionEndReport,
): JourneyRow | null {
  const isMatch = (each: Enrolment): boolean =>
    each.execution === execution && each.ended === null && incarnation >= each.at - ADMISSION_GRACE_MS;
  if (row === null || !row.enrolments.some(isMatch)) return null;
  return {
    ...row,
    enrolments: row.enrolments.map((each) => (isMatch(each) ? { ...each, isSeen: true, ended } : each)),
  };
}

/** Returns whether the row can be deleted, because no later start needs it. */
export function canDelete({ reentry, enrolments }: JourneyRow): boolean {
  return enrolments.every(({ ended }) => ended !== null) && (reentry !== "once" || enrolments.length === 0);
}

function emptyRow({ journey, reentry }: Pick<EnrollRequest, "journey" | "reentry">): JourneyRow {
  return { v: 1, journey, reentry, turn: 0, enrolments: [] };
}

/**
 * Applies one finding about an execution, unless its enrolment has changed since. `is` null: the cell has no such
 * execution.
 */
function applyFinding(row: JourneyRow, { execution, turn, is }: EnrolmentFinding, now: number): JourneyRow {
  const enrolments = row.enrolments.flatMap((each): Enrolment[] => {
    if (each.execution !== execution || each.turn !== turn || each.ended !== null || !isLapsed(each, now))
      return [each];
    if (is !== null) return [{ ...each, isSeen: true, ended: is.ended }];
    return each.isSeen ? [{ ...each, ended: { status: "unknown", at: now } }] : [];
  });
  return { ...row, enrolments };
}

/** Returns why an enrolment blocks the start; null if it does not. */
function blockedBy(by: Enrolment, reentry: Reentry, isChecked: boolean, now: number): EnrollAnswer | null {
  switch (reentry) {
    case "always":
      return null;
    case "once":
      return by.isSeen || by.ended !== null || !isLapsed(by, now) || isChecked
        ? { kind: "enrolled", by }
        : { kind: "doubt", of: by };
    case "after_finish":
      if (by.ended !== null) return null;
      return isLapsed(by, now) && !isChecked ? { kind: "doubt", of: by } : { kind: "enrolled", by };
  }
}

/** Returns whether the admission has expired, so that its execution can no longer start. */
function isLapsed({ until }: Enrolment, now: number): boolean {
  return now > until + ADMISSION_GRACE_MS;
}

/** Admits a start. A repeated start gets a new time limit, because the first one may have been lost. */
function admit(
  row: JourneyRow,
  { execution, reentry }: EnrollRequest,
  own: Enrolment | null,
  now: number,
): EnrollResult {
  const turn = row.turn + 1;
  const until = now + ADMISSION_MS;
  const admitted: Enrolment = own
    ? { ...own, turn, until }
    : { execution, at: now, turn, until, isSeen: false, ended: null };
  const enrolments = [...row.enrolments.filter((each) => each !== own), admitted];
  return {
    row: { ...row, reentry, turn, enrolments: latest(enrolments) },
    answer: { kind: "admitted", turn, until, isNew: own === null },
  };
}

/** Limits the enrolments that are kept. Ended ones are dropped first, the oldest of them first. */
function latest(enrolments: readonly Enrolment[]): readonly Enrolment[] {
  if (enrolments.length <= ENROLMENTS_KEPT) return enrolments;
  const dropped = enrolments.find(({ ended }) => ended !== null) ?? enrolments[0];
  return enrolments.filter((each) => each !== dropped);
}
