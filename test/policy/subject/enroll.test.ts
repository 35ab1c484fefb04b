// Tests whether a subject may enter a journey, and the recovery after a lost start or report.
import { describe, expect, test } from "vitest";
import { endEnrolment, enroll, canDelete, applyFindings, withdrawAdmission } from "#policy/subject/enroll.ts";
import { ADMISSION_GRACE_MS, ADMISSION_MS, ENROLMENTS_KEPT } from "#schema/limits/subjects/subject-rows.ts";
import type { EnrollRequest, Enrolment, EnrolmentFinding, JourneyRow, Reentry } from "#schema/subject/enrolment.ts";

const T0 = Date.UTC(2026, 0, 5, 9);
const LAPSED = T0 + ADMISSION_MS + ADMISSION_GRACE_MS + 1;
const over = { status: "completed", at: T0 + 5 } as const;

const ask = (execution: string, reentry: Reentry, more: Partial<EnrollRequest> = {}): EnrollRequest => ({
  journey: "wedding",
  execution,
  reentry,
  found: [],
  isGone: false,
  dryRun: false,
  ...more,
});
const enrolment = (more: Partial<Enrolment> = {}): Enrolment => ({
  execution: "exe_a",
  at: T0,
  turn: 1,
  until: T0 + ADMISSION_MS,
  isSeen: false,
  ended: null,
  ...more,
});
const rowOf = (...enrolments: readonly Enrolment[]): JourneyRow => ({
  v: 1,
  journey: "wedding",
  reentry: "once",
  turn: enrolments.length,
  enrolments,
});

describe("a second start", () => {
  const fresh = rowOf(enrolment());
  const seen = rowOf(enrolment({ isSeen: true }));
  const ended = rowOf(enrolment({ isSeen: true, ended: over }));
  test.each<[string, JourneyRow, Reentry, number, string]>([
    ["always: is admitted beside the first", fresh, "always", T0, "admitted"],
    ["once: is refused while the first may still start", fresh, "once", LAPSED - 1, "enrolled"],
    ["once: is in doubt if the first has not reported", fresh, "once", LAPSED, "doubt"],
    ["once: is refused if the first has started", seen, "once", LAPSED, "enrolled"],
    ["once: is refused if the first has ended", ended, "once", LAPSED, "enrolled"],
    ["after_finish: is refused while the first may still start", fresh, "after_finish", LAPSED - 1, "enrolled"],
    [
      "after_finish: is in doubt later, because the report of the end may be lost",
      seen,
      "after_finish",
      LAPSED,
      "doubt",
    ],
    ["after_finish: is admitted after the first has ended", ended, "after_finish", T0, "admitted"],
  ])("%s", (_name, row, reentry, now, kind) => {
    expect(enroll(row, ask("exe_b", reentry), now).answer.kind).toBe(kind);
  });

  test.each<[string, JourneyRow, Reentry, string, string]>([
    ["once: is admitted if it continues an ended execution", ended, "once", "exe_a", "admitted"],
    ["once: is admitted if the report of that end has not arrived", seen, "once", "exe_a", "admitted"],
    ["once: is refused while another execution is live", seen, "once", "exe_z", "enrolled"],
    ["once: is admitted beside other ended executions", ended, "once", "exe_z", "admitted"],
    ["after_finish: is refused while another execution is live", fresh, "after_finish", "exe_z", "enrolled"],
  ])("%s", (_name, row, reentry, again, kind) => {
    expect(enroll(row, ask("exe_b", reentry, { again }), T0).answer.kind).toBe(kind);
  });

  test("at the same time finds the first one", () => {
    const first = enroll(null, ask("exe_a", "once"), T0);
    expect(first.answer).toEqual({ kind: "admitted", turn: 1, until: T0 + ADMISSION_MS, isNew: true });
    const second = enroll(first.row, ask("exe_b", "once"), T0);
    expect(second.answer).toMatchObject({ kind: "enrolled", by: { execution: "exe_a" } });
    expect(second.row).toEqual(first.row);
  });
});

describe("the same start again", () => {
  test("gets a new time limit for the same enrolment", () => {
    const again = enroll(rowOf(enrolment()), ask("exe_a", "once"), LAPSED);
    expect(again.answer).toEqual({ kind: "admitted", turn: 2, until: LAPSED + ADMISSION_MS, isNew: false });
    expect(again.row?.enrolments).toEqual([enrolment({ turn: 2, until: LAPSED + ADMISSION_MS })]);
  });

  test("after its end gets the first answer, or none", () => {
    const row = rowOf(enrolment({ ended: over }));
    expect(enroll(row, ask("exe_a", "once"), LAPSED).answer).toEqual({ kind: "repeated" });
    expect(enroll(row, ask("exe_a", "once", { isGone: true }), LAPSED).answer.kind).toBe("enrolled");
    const anew = enroll(row, ask("exe_a", "after_finish", { isGone: true }), LAPSED);
    expect(anew.answer).toMatchObject({ kind: "admitted", isNew: true });
    expect(anew.row?.enrolments).toHaveLength(2);
  });
});

describe("a finding about an execution in doubt", () => {
  const found = (is: EnrolmentFinding["is"], turn = 1): EnrolmentFinding[] => [{ execution: "exe_a", turn, is }];
  const row = rowOf(enrolment());
  test.each<[string, JourneyRow, Reentry, EnrolmentFinding[], string, number]>([
    ["the first never started: the second is admitted", row, "once", found(null), "admitted", 1],
    ["the first is live: the second is refused", row, "after_finish", found({ ended: null }), "enrolled", 1],
    ["the first is live: once refuses the second", row, "once", found({ ended: null }), "enrolled", 1],
    ["the first has ended: after_finish admits the second", row, "after_finish", found({ ended: over }), "admitted", 2],
    ["the first has ended: once refuses the second", row, "once", found({ ended: over }), "enrolled", 1],
    ["the first was admitted again: the finding is outdated", row, "once", found(null, 0), "enrolled", 1],
    [
      "the first had started and is deleted: it counts as ended",
      rowOf(enrolment({ isSeen: true })),
      "once",
      found(null),
      "enrolled",
      1,
    ],
  ])("%s", (_name, known, reentry, all, kind, count) => {
    const { row: kept, answer } = enroll(known, ask("exe_b", reentry, { found: all }), LAPSED);
    expect(answer.kind).toBe(kind);
    expect(kept?.enrolments).toHaveLength(count);
  });

  test("has no effect before its admission has expired", () => {
    expect(enroll(row, ask("exe_b", "once", { found: found(null) }), LAPSED - 1).answer.kind).toBe("enrolled");
  });

  test("is stored without a start", () => {
    expect(applyFindings(row, found(null), LAPSED)?.enrolments).toEqual([]);
    expect(applyFindings(row, found({ ended: over }), LAPSED)?.enrolments[0]?.ended).toEqual(over);
    expect(applyFindings(null, found(null), LAPSED)).toBeNull();
  });
});

describe("a reported end", () => {
  const told = { journey: "wedding", execution: "exe_a", incarnation: T0 + 1, end: over };
  test.each([
    ["is noted", rowOf(enrolment()), told, over],
    ["is stored for its execution", rowOf(enrolment(), enrolment({ execution: "exe_b" })), told, over],
    ["of another execution is ignored", rowOf(enrolment()), { ...told, execution: "exe_b" }, undefined],
    ["of an earlier incarnation is ignored", rowOf(enrolment()), { ...told, incarnation: T0 - 10 * 60_000 }, undefined],
    ["is stored once if repeated", rowOf(enrolment({ ended: over })), told, undefined],
  ])("%s", (_name, row, given, ended) => {
    expect(endEnrolment(row, given)?.enrolments[0]?.ended).toEqual(ended);
  });

  test("of an erased subject leaves no row", () => {
    expect(endEnrolment(null, told)).toBeNull();
  });
});

describe("withdrawing an admission", () => {
  test("allows the subject to enter again", () => {
    expect(withdrawAdmission(rowOf(enrolment()), "exe_a", 1)?.enrolments).toEqual([]);
  });

  test.each([
    ["has no effect if the start was admitted again", rowOf(enrolment({ turn: 2 }))],
    ["has no effect after the end", rowOf(enrolment({ ended: over }))],
    ["has no effect for an unknown execution", null],
  ])("%s", (_name, row) => {
    expect(withdrawAdmission(row, "exe_a", 1)).toBeNull();
  });
});

test("of one journey the latest enrolments are kept, and live ones the longest", () => {
  const all = Array.from({ length: ENROLMENTS_KEPT }, (_, n) =>
    enrolment({ execution: `exe_${n}`, ended: n === 3 ? over : null }),
  );
  const more = enroll(rowOf(...all), ask("exe_x", "always"), T0).row;
  expect(more?.enrolments.map(({ execution }) => execution)).not.toContain("exe_3");
  const most = enroll(more, ask("exe_y", "always"), T0).row;
  expect(most?.enrolments).toHaveLength(ENROLMENTS_KEPT);
  expect(most?.enrolments.map(({ execution }) => execution)).not.toContain("exe_0");
});

test("enrolments that a later start needs are not deleted", () => {
  const ended = rowOf(enrolment({ ended: over }));
  expect(canDelete(ended)).toBe(false);
  expect(canDelete({ ...ended, reentry: "after_finish" })).toBe(true);
  expect(canDelete({ ...rowOf(enrolment()), reentry: "always" })).toBe(false);
  expect(canDelete(rowOf())).toBe(true);
});
