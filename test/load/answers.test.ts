// Tests of the load test's answers: parsing, and the detection of unexpected ones.
import { describe, expect, test } from "vitest";
import type { LoadScenario } from "#schema/load.ts";
import {
  readAnswers,
  isRefusedForLoad,
  readActionState,
  findUnexpected,
  describeAnswer,
  type Answer,
} from "../../scripts/load/answers.ts";
import { naming } from "#test/support/matchers/naming.ts";

const said = (status: number, body: unknown) => ({ status, body, ms: 1 });
const refused = { code: "action_invalid", status: 422, title: "x" };

describe("answers", () => {
  test.each<readonly [string, ReturnType<typeof said>, readonly Answer[]]>([
    [
      "made",
      said(201, { action: { id: "exe_1" }, repeated: false }),
      [{ status: 201, id: "exe_1", repeated: false, code: null }],
    ],
    [
      "repeated",
      said(200, { action: { id: "exe_1" }, repeated: true }),
      [{ status: 200, id: "exe_1", repeated: true, code: null }],
    ],
    ["refused", said(422, refused), [{ status: 422, id: null, repeated: false, code: "action_invalid" }]],
    ["refused by a proxy", said(502, "<html>"), [{ status: 502, id: null, repeated: false, code: null }]],
    ["none", said(0, "ECONNRESET"), [{ status: 0, id: null, repeated: false, code: "ECONNRESET" }]],
    ["not understood", said(200, "hello"), [{ status: 200, id: null, repeated: false, code: null }]],
    [
      "a batch",
      said(200, {
        results: [
          { ok: true, id: "exe_1", status: "queued", repeated: false },
          { ok: true, id: "exe_2", status: "ok", repeated: true },
          { ok: false, problem: refused },
        ],
      }),
      [
        { status: 201, id: "exe_1", repeated: false, code: null },
        { status: 200, id: "exe_2", repeated: true, code: null },
        { status: 422, id: null, repeated: false, code: "action_invalid" },
      ],
    ],
  ])("that are %s", (_fact, answer, wanted) => expect(readAnswers(answer)).toEqual(wanted));

  test.each([
    [0, true, ["x"]],
    [429, true, [429, "x"]],
    [503, true, [503, "x"]],
    [422, false, [422, "x"]],
    [201, false, [201, "x"]],
  ])("of %d are refusals because of load: %s", (status, forLoad, named) => {
    const answer = { status, id: null, repeated: false, code: "x" };
    expect(isRefusedForLoad(answer)).toBe(forLoad);
    expect(describeAnswer(answer)).toEqual(naming(...named));
  });
});

const scenario = (copies: number, status: number[], repeated: number): LoadScenario => ({
  name: "a",
  weight: 1,
  description: "",
  batch: null,
  copies,
  dispatch: {},
  sandbox: null,
  expect: { status, repeated, ends: ["ok"] },
});
const answer = (status: number, id: string | null, repeated = false): Answer => ({ status, id, repeated, code: null });

describe("unexpected answers", () => {
  test.each<readonly [string, LoadScenario, readonly Answer[], readonly string[]]>([
    ["none", scenario(1, [201], 0), [answer(201, "a")], []],
    ["a refusal", scenario(1, [201], 0), [answer(422, null)], [naming(422)]],
    ["an acceptance of what is wrong", scenario(1, [400], 0), [answer(201, "a")], [naming(201)]],
    ["none of a pair", scenario(2, [200, 201], 1), [answer(200, "a", true), answer(201, "a")], []],
    ["a pair of two", scenario(2, [200, 201], 1), [answer(201, "a"), answer(201, "b")], [naming(0, 2), naming(2)]],
    ["a repeat of something else", scenario(2, [200, 201], 1), [answer(201, "a"), answer(200, "b", true)], [naming(2)]],
    ["some of a batch", scenario(1, [201], 0), [answer(201, "a"), answer(503, null)], [naming(503)]],
  ])("are %s", (_fact, asked, answers, wanted) => expect(findUnexpected(asked, answers)).toEqual(wanted));
});

describe("the state of an action", () => {
  const made = { status: "ok", createdAt: "2026-11-18T12:00:00.000Z", finishedAt: "2026-11-18T12:00:02.500Z" };
  test.each([
    ["at its end", made, { status: "ok", isEnded: true, held: null, ms: 2_500, errors: [] }],
    [
      "held, after a failure",
      {
        ...made,
        status: "retry",
        finishedAt: null,
        held: { reason: "rate_limited" },
        attempts: [{ error: { type: "service_unavailable" } }, { error: null }],
      },
      { status: "retry", isEnded: false, held: "rate_limited", ms: null, errors: ["service_unavailable"] },
    ],
    ["at something else", { code: "not_found" }, null],
  ])("%s", (_fact, body, wanted) => expect(readActionState(body)).toEqual(wanted));
});
