// What comes next, how it ended and what was not done, in plain sentences.
import { describe, expect, test } from "vitest";
import { nothing } from "#kernel/explain/foresee.ts";
import { executionRow } from "#objects/execution/projections/rows.ts";
import { explainRetired } from "#policy/advice/explanation/retired.ts";
import { tell } from "#policy/advice/explanation/tell.ts";
import type { Explanation, Foreseen, NotDone, Wait } from "#schema/engine/explanation.ts";
import { drive } from "#test/support/drive.ts";
import { empty, error, no, of, T } from "./told.ts";

describe("what comes next", () => {
  const next = (part: Partial<Foreseen>) => tell({ ...empty, next: { ...nothing("time"), ...part } }).next.says;
  const about = { run: "3.0", action: "mail" };

  test.each<[Partial<Foreseen>, string]>([
    [
      { kind: "run_dispatched", about, at: T },
      "Next, by itself: run dispatched (3.0, mail) at 2026-11-18T10:00:00.000Z.",
    ],
    [
      { kind: "run_settled", about, by: "runner", assumes: "ok", latest: T },
      "Next, from whoever has it in hand: run settled (3.0, mail), if it ends ok, by 2026-11-18T10:00:00.000Z if not before.",
    ],
    [{ kind: "run_claimed", by: "runner" }, "Next, from whoever has it in hand: run claimed."],
    [{ kind: "enlisted", by: "directory" }, "Next, from the engine's directory: enlisted."],
    [
      { kind: "event_received", by: "event", events: ["paid", "left"] },
      "An event would bring event received: paid, left.",
    ],
    [{ kind: "event_buffered", by: "event" }, "An event would bring event buffered: ."],
    [{ kind: "resumed", by: "person" }, "A person would bring resumed."],
    [
      { kind: "timer_fired", about: { timer: "t" }, by: "tenant", earliest: T },
      "Once its tenant goes on: timer fired (t), not before 2026-11-18T10:00:00.000Z.",
    ],
    [{ kind: "completed", by: "nobody" }, "Nobody brings completed."],
    [{ by: "retention", at: T }, "Nothing more happens; its history goes at 2026-11-18T10:00:00.000Z."],
    [{ by: "retention" }, "Nothing more happens; its history goes at its end."],
    [{ earliest: T }, "Nothing happens before the engine looks at it again at 2026-11-18T10:00:00.000Z."],
    [{ by: "nobody" }, "Nothing is foreseen."],
  ])("%j", (part, said) => {
    expect(next(part)).toBe(said);
  });

  test("all of it in one line: where it stands, or how it ended, and what follows", () => {
    const line = (part: Partial<Explanation>) => tell({ ...empty, ...part }).says;
    expect(line({})).toBe("It is waiting in open. Nothing is foreseen.");
    expect(line({ states: [] })).toBe("It is waiting. Nothing is foreseen.");
    expect(line({ status: null })).toContain("The engine cannot read it");
    const apart: Wait = { for: "engine", kind: "broken", reason: "x", since: T, until: T };
    expect(line({ waits: [apart] })).toContain("stands apart because the engine cannot go on with it");
    const ended = (part: object) =>
      ({ ended: { status: "completed", at: T, reason: null, error: null, ...part } }) as const;
    expect(line(ended({}))).toBe("It completed at 2026-11-18T10:00:00.000Z. Nothing is foreseen.");
    expect(line(ended({ status: "canceled", reason: "not_wanted" }))).toContain(
      "It was canceled at 2026-11-18T10:00:00.000Z: not wanted.",
    );
    expect(line(ended({ status: "failed", error }))).toContain("It failed at 2026-11-18T10:00:00.000Z: 503.");
    expect(tell({ ...empty, or: [nothing("nobody")] }).or[0]?.says).toBe("Nothing is foreseen.");
  });
});

describe("what was not done", () => {
  const run: NotDone = {
    ...{ what: "run", ...of, status: "skipped", reason: "condition_false", at: T, error: null, heard: null },
    ...{ deadLetter: null, conditions: [no] },
  };
  const not = (part: NotDone) => {
    const [said] = tell({ ...empty, notDone: [part] }).notDone;
    return [said?.says, said?.can.map(({ path }) => path)];
  };

  test("a run says why, and where a person may still send it", () => {
    expect(not(run)).toEqual([
      "Run 3.0 of mail was skipped at 2026-11-18T10:00:00.000Z: its condition did not hold. It found: execution.variables.total is 40, message.id is not there.",
      ["/v1/executions/exe_1/run-now"],
    ]);
    expect(not({ ...run, status: "canceled", reason: "some_other_reason", conditions: [] })).toEqual([
      "Run 3.0 of mail was canceled at 2026-11-18T10:00:00.000Z: some other reason.",
      [],
    ]);
    const failed = { ...run, status: "failed", conditions: [], error } as const;
    expect(not({ ...failed, reason: "waits_for_person", deadLetter: "dl_1" })).toEqual([
      "Run 3.0 of mail failed at 2026-11-18T10:00:00.000Z with service_unavailable: 503. It waits for a person.",
      ["/v1/dead-letters/dl_1", "/v1/dead-letters/dl_1/retry", "/v1/dead-letters/dl_1/archive"],
    ]);
    expect(not({ ...failed, reason: "archived", error: null })[0]).toBe(
      "Run 3.0 of mail failed at 2026-11-18T10:00:00.000Z. (archived)",
    );
    const heard = { event: "action.mail.failed", state: "sorry" };
    expect(not({ ...failed, reason: "handled", heard })[0]).toContain(
      "That was taken as action.mail.failed, which led to sorry.",
    );
  });

  test("an event and a timer say what became of them", () => {
    const event = { what: "event", event: "paid", id: "evt_1", fate: "kept", reason: "early", at: null } as const;
    expect(not(event)).toEqual(["paid waits for its time (early).", []]);
    expect(not({ ...event, fate: "dropped", at: T, reason: "execution_canceled" })).toEqual([
      "paid was dropped at 2026-11-18T10:00:00.000Z: execution canceled.",
      ["/v1/executions/exe_1/events"],
    ]);
    expect(not({ ...event, fate: "ignored" })[0]).toBe("paid was ignored: early.");
    expect(not({ what: "timer", timer: "t", reason: "already_past", at: T })).toEqual([
      "The timer t led to nothing at 2026-11-18T10:00:00.000Z: already past.",
      [],
    ]);
  });

  test("a node of a journey says why it was passed over", () => {
    const node = { what: "node", node: "b", reason: "not_reached", at: T } as const;
    expect(not(node)).toEqual([
      "The node b was skipped at 2026-11-18T10:00:00.000Z: no way that leads to it was taken.",
      [],
    ]);
    expect(not({ ...node, reason: "some_other", at: null })[0]).toBe("The node b was skipped: some other.");
  });

  test("an event that is not for now says so", () => {
    const told = tell({
      ...empty,
      notNow: [
        { event: "a", would: "kept", code: null },
        { event: "b", would: "refused", code: "event_too_late" },
        { event: "c", would: "refused", code: null },
      ],
    });
    expect(told.notNow.map((each) => each.says)).toEqual([
      "a would be kept for later.",
      "b would be refused: event too late.",
      "c would be refused: .",
    ]);
  });
});

test("an execution whose history is gone is told from what lists keep", () => {
  const ended = drive({ states: { done: { type: "final" } } }).start().state;
  const row = { ...executionRow(ended, T), status: "failed" as const, finishedAt: T, error: "no answer" };
  expect(tell(explainRetired(row, T))).toMatchObject({
    status: "failed",
    asOf: T,
    says: "It failed at 2026-11-18T10:00:00.000Z: no answer. Nothing is foreseen.",
  });
  const still = explainRetired({ ...row, error: null, finishedAt: null, updatedAt: T + 1 }, T);
  expect(still.ended).toMatchObject({ at: T + 1, error: null });
});
