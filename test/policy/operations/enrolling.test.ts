// Tests a list of subjects until it is started: what may be added, and when an unused list ends.
import { describe, expect, test } from "vitest";
import { abandonList, appendPart, openList, startList, lineTroubleOf } from "#policy/operations/enrolling.ts";
import {
  abortOperation,
  recordOutcomes,
  planOperation,
  addPage,
  viewOperation,
  type OperationState,
} from "#policy/operations/pace.ts";
import {
  ENROLMENT_BYTES_MAX,
  ENROLMENT_FAILURE_CHARS_MAX,
  ENROLMENT_LINES_MAX,
  ENROLMENT_OPEN_MS_MAX,
  ENROLMENT_PARTS_MAX,
} from "#schema/limits/subjects/enrolment-lists.ts";
import { OPERATION_BROKEN_TRIES_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import type { ItemOutcome, OperationRequest } from "#schema/operation.ts";
import type { Part } from "#schema/subject/enrolling.ts";
import { T0 } from "#test/support/drive.ts";

const actor = { kind: "key", id: "key_1" } as const;
const terms: OperationRequest = {
  id: "op_1",
  tenant: "acme",
  verb: "enroll",
  filter: { definition: "wedding@1" },
  perSecond: 50,
  reason: null,
  actor,
  createdAt: T0,
  matched: 0,
  fingerprint: "f",
};
const part = (n: number, lines = 2, fingerprint = `f${n}`): Part => ({
  part: n,
  fingerprint,
  lines: Array.from({ length: lines }, () => ({})),
});
function added(state: OperationState, ...parts: readonly Part[]): OperationState {
  return parts.reduce((each, one) => {
    const taken = appendPart(each, one, null, 10);
    if (!taken.ok) throw new Error(taken.refusal.message);
    return taken.value.state;
  }, state);
}
const codeOf = (result: { ok: true } | { ok: false; refusal: { code: string } }) =>
  result.ok ? "taken" : result.refusal.code;
const begun = (state: OperationState): OperationState => {
  const started = startList(state, T0 + 5);
  if (!started.ok) throw new Error(started.refusal.message);
  return started.value.state;
};

describe("a part", () => {
  test("is added to the counts", () => {
    const taken = appendPart(added(openList(terms), part(1)), part(2, 3), null, 10);
    expect(taken).toMatchObject({ ok: true, value: { answer: { repeated: false, parts: 2, lines: 5 } } });
  });

  test("repeated changes nothing; with other lines it is refused", () => {
    const state = added(openList(terms), part(1));
    expect(appendPart(state, part(1), "f1", 10)).toEqual({
      ok: true,
      value: { state, answer: { repeated: true, parts: 1, lines: 2 } },
    });
    expect(codeOf(appendPart(state, part(1), "other", 10))).toBe("idempotency_conflict");
  });

  test("repeated after the start is recognized; a new one is refused", () => {
    const state = begun(added(openList(terms), part(1)));
    expect(codeOf(appendPart(state, part(1), "f1", 10))).toBe("taken");
    expect(codeOf(appendPart(state, part(2), null, 10))).toBe("operation_started");
  });

  test.each<[string, OperationState, Part, number]>([
    ["lines", { ...openList({ ...terms, matched: ENROLMENT_LINES_MAX - 1 }) }, part(2), 10],
    ["parts", { ...openList(terms), upload: { parts: ENROLMENT_PARTS_MAX, bytes: 0 } }, part(2), 10],
    ["bytes", { ...openList(terms), upload: { parts: 1, bytes: ENROLMENT_BYTES_MAX - 9 } }, part(2), 10],
  ])("is refused if the list would have too many %s", (what, state, one, bytes) => {
    expect(appendPart(state, one, null, bytes)).toMatchObject({
      ok: false,
      refusal: { code: "limit_exceeded", details: { what } },
    });
  });

  test("counts from zero if an older version had not counted", () => {
    const { upload: _upload, ...state } = openList(terms);
    expect(appendPart(state, part(1), null, 10)).toMatchObject({ ok: true, value: { answer: { parts: 1 } } });
    expect(appendPart(state, part(1), "f1", 10)).toMatchObject({ ok: true, value: { answer: { parts: 0 } } });
  });
});

describe("a list", () => {
  test("sleeps until it is started, and then processes its lines", () => {
    const open = added(openList(terms), part(1));
    expect(planOperation(open, T0 + 1)).toEqual({ kind: "rest", at: T0 + ENROLMENT_OPEN_MS_MAX });
    expect(viewOperation(open, T0)).toMatchObject({ status: "open", remaining: 2, estimatedEndAt: null });
    const running = begun(open);
    expect(planOperation(running, T0 + 5)).toEqual({ kind: "list", cursor: null });
    const listed = addPage(running, { ids: ["1.1", "1.2"], cursor: null }, T0 + 5);
    expect(planOperation(listed, T0 + 5)).toEqual({ kind: "act", ids: ["1.1", "1.2"] });
  });

  test("is started once, and not without lines or after its end", () => {
    const running = begun(added(openList(terms), part(1)));
    expect(startList(running, T0 + 9)).toEqual({ ok: true, value: { state: running, repeated: true } });
    expect(codeOf(startList(openList(terms), T0))).toBe("invalid_input");
    const aborted = abortOperation(openList(terms), { actor, reason: null }, T0);
    expect(codeOf(startList(aborted, T0))).toBe("operation_final");
  });

  test("that is not started within a week ends", () => {
    const open = openList(terms);
    expect(abandonList(open, T0 + ENROLMENT_OPEN_MS_MAX - 1)).toBe(open);
    expect(abandonList(open, T0 + ENROLMENT_OPEN_MS_MAX)).toMatchObject({
      status: "aborted",
      aborted: { actor: { kind: "engine" } },
    });
    const running = begun(added(open, part(1)));
    expect(abandonList(running, T0 + 2 * ENROLMENT_OPEN_MS_MAX)).toBe(running);
  });
});

describe("the error of a line", () => {
  test.each<[string, ItemOutcome, object | null]>([
    [
      "of a refused line",
      { id: "3.17", kind: "refused", code: "invalid_input", message: "no" },
      { part: 3, line: 17, code: "invalid_input", message: "no" },
    ],
    [
      "of a skipped line",
      { id: "1.1", kind: "skipped", reason: "already_enrolled" },
      { code: "already_enrolled", message: "already_enrolled" },
    ],
    ["is absent for an enrolled line", { id: "1.1", kind: "released" }, null],
    ["is absent for an unprocessed line", { id: "1.1", kind: "unreached", error: "away" }, null],
  ])("%s", (_name, outcome, expected) => {
    const found = lineTroubleOf(outcome);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject(expected);
  });

  test("is cut at the maximum length", () => {
    const long: ItemOutcome = {
      id: "1.1",
      kind: "refused",
      code: "x",
      message: "m".repeat(ENROLMENT_FAILURE_CHARS_MAX + 9),
    };
    expect(lineTroubleOf(long)?.message).toHaveLength(ENROLMENT_FAILURE_CHARS_MAX);
  });

  test("is reported when a repeatedly failing line is given up", () => {
    let state = addPage(begun(added(openList(terms), part(1, 1))), { ids: ["1.1"], cursor: null }, T0);
    const broken: ItemOutcome = { id: "1.1", kind: "unreached", error: "it broke", isBroken: true };
    for (let n = 1; n < OPERATION_BROKEN_TRIES_MAX; n++) {
      const step = recordOutcomes(state, [broken], T0 + n);
      expect(step.settled).toEqual([]);
      ({ state } = step);
    }
    const last = recordOutcomes(state, [broken], T0 + 99);
    expect(last.settled).toEqual([{ id: "1.1", kind: "refused", code: "internal_error", message: "it broke" }]);
    expect(last.state).toMatchObject({ status: "done", counts: { refused: { internal_error: 1 } } });
  });
});
