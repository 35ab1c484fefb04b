// Decides whether a subject may enter a journey, for the first time or again. An execution that was admitted but has
// not reported is in doubt. The Worker then asks the cell of that execution. Before that, its admission expires, so
// that it cannot start during the check.
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
  /** The row of the subject's journey to store. */
  readonly row: JourneyRow;
  readonly answer: EnrollAnswer;
};

/** Decides about a start. `stored`: the row of the subject's journey; null if the subject was never in the journey. */
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

/**
 * Applies what the Worker has found about executions in doubt, when no start is requested. Returns null if there is no
 * row.
 */
export function applyFindings(
  row: JourneyRow | null,
  found: readonly EnrolmentFinding[],
  now: number,
): JourneyRow | null {
  return row === null ? null : found.reduce((before, finding) => applyFinding(before, finding, now), row);
}

/**
 * Withdraws the admission of an execution whose cell has refused the start. Returns null if it has no admission. If the
 * execution was admitted again since, that admission has another turn number and stays.
 */
export function withdrawAdmission(row: JourneyRow | null, execution: string, turn: number): JourneyRow | null {
  const isMatch = (each: Enrolment): boolean =>
    each.execution === execution && each.turn === turn && each.ended === null;
  if (row === null || !row.enrolments.some(isMatch)) return null;
  return { ...row, enrolments: row.enrolments.filter((each) => !isMatch(each)) };
}

/**
 * Records the end of an enrolled execution. Returns null if the row does not change. A report of an earlier incarnation
 * is ignored. The comparison tolerates different clocks, because an execution may seem to be created before its
 * admission.
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

/** Returns whether the row can be deleted, because no later start depends on it. */
export function canDelete({ reentry, enrolments }: JourneyRow): boolean {
  return enrolments.every(({ ended }) => ended !== null) && (reentry !== "once" || enrolments.length === 0);
}

function emptyRow({ journey, reentry }: Pick<EnrollRequest, "journey" | "reentry">): JourneyRow {
  return { v: 1, journey, reentry, turn: 0, enrolments: [] };
}

/**
 * Applies a finding about one execution, unless its enrolment has changed since the question. `is`: null if the cell
 * has no such execution.
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

/** Returns why the enrolment prevents the start; null if it does not. */
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

/** Admits a start. If a start is repeated, its time limit begins again, because the first response may be lost. */
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

/** Limits how many enrolments are kept. Ended enrolments are removed first, the oldest of them before the others. */
function latest(enrolments: readonly Enrolment[]): readonly Enrolment[] {
  if (enrolments.length <= ENROLMENTS_KEPT) return enrolments;
  const dropped = enrolments.find(({ ended }) => ended !== null) ?? enrolments[0];
  return enrolments.filter((each) => each !== dropped);
}
