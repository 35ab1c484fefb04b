// Tests the sentences about the next entry, the end and items without effect: which values they name, and which
// requests they list.
import { describe, expect, test } from "vitest";
import { emptyPrediction } from "#kernel/explain/predict-next.ts";
import { executionRow } from "#objects/execution/projections/catalog-rows.ts";
import { explainRetired } from "#policy/advice/explanation/retired.ts";
import { addSentences } from "#policy/advice/explanation/sentences.ts";
import { drive } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";
import { lineCases, nextCases, notDoneCases, workingCollector } from "./next-cases.ts";
import { empty, T } from "./sentences-of.ts";

describe("the predicted next entry", () => {
  test.each(nextCases)("%j", (part, named) => {
    expect(addSentences({ ...empty, next: { ...emptyPrediction("time"), ...part } }).next.says).toEqual(
      naming(...named),
    );
  });

  test("the summary contains the status or the end, and the next entry", () => {
    for (const [part, named] of lineCases) {
      const { says, ended, next, or } = addSentences({ ...empty, ...part });
      expect(says).toEqual(naming(...named));
      expect(says.endsWith(` ${next.says}`)).toBe(true);
      if (ended) expect(says.startsWith(ended.says)).toBe(true);
      expect(or.map((each) => each.says)).toEqual((part.or ?? []).map(() => next.says));
    }
    expect(new Set(lineCases.map(([part]) => addSentences({ ...empty, ...part }).says)).size).toBe(
      lineCases.length - 1,
    );
  });
});

test("a collector without failures is not in the summary", () =>
  expect(addSentences({ ...empty, waits: [workingCollector] }).says).toBe(addSentences(empty).says));

describe("items without effect", () => {
  const event = { what: "event", event: "paid", id: null, outcome: "dropped", reason: "early", at: null } as const;
  const ended = { status: "completed", at: T, reason: null, error: null } as const;
  const run = {
    ...({ what: "run", run: "3.0", action: "mail", status: "skipped", reason: "late", at: T } as const),
    ...{ error: null, heard: null, deadLetter: null, conditions: [] },
  };

  test.each([
    ["a live execution", {}, [["POST /v1/executions/exe_1/events"], ["POST /v1/executions/exe_1/run-now"]]],
    ["a paused one, which refuses run-now", { status: "paused" }, [["POST /v1/executions/exe_1/events"], []]],
    ["an ended one, which refuses both", { ended }, [[], []]],
  ] as const)("offer only what is accepted: %s", (_what, part, offers) => {
    const { notDone } = addSentences({ ...empty, ...part, notDone: [event, run] });
    expect(notDone.map(({ can }) => can.map(({ method, path }) => `${method} ${path}`))).toEqual(offers);
    const [task] = addSentences({ ...empty, notDone: [{ ...event, event: "task_completed" }] }).notDone;
    expect(task?.can).toEqual([]);
  });

  test.each(Object.entries(notDoneCases))("%s", (_what, cases) => {
    for (const [not, named, can] of cases) {
      const [said] = addSentences({ ...empty, notDone: [not] }).notDone;
      expect(said?.says).toEqual(naming(...named));
      if (can) expect(said?.can.map(({ path }) => path)).toEqual(can);
    }
  });

  test("an event that is not accepted now gets a sentence", () => {
    const told = addSentences({
      ...empty,
      notNow: [
        { event: "a_1", would: "kept", code: null },
        { event: "b_1", would: "refused", code: "event_too_late" },
        { event: "c_1", would: "refused", code: null },
      ],
    });
    expect(told.notNow.map((each) => each.says)).toEqual([naming("a_1"), naming("b_1"), naming("c_1")]);
  });
});

test("an execution whose journal is deleted is explained from its catalog row", () => {
  const ended = drive({ states: { done: { type: "final" } } }).start().state;
  const row = { ...executionRow(ended, T), status: "failed" as const, finishedAt: T, error: "no answer" };
  expect(addSentences(explainRetired(row, T))).toMatchObject({
    status: "failed",
    asOf: T,
    ended: { status: "failed", at: T, error: { message: "no answer" } },
    says: naming("failed", "2026-11-18T10:00:00.000Z", "no answer"),
  });
  const still = explainRetired({ ...row, error: null, finishedAt: null, updatedAt: T + 1 }, T);
  expect(still.ended).toMatchObject({ at: T + 1, error: null });
});
