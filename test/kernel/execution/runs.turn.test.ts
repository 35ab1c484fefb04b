// Whose turn it is, and whether it is asked again.
import { describe, expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import { action, ask, drive, minute, second, T0, type Drive } from "#test/support/drive.ts";

const listens = { a: { on: { go: "b" } }, b: { on: { back: "a" } } };

const variable = (name: string) => ({ var: `execution.variables.${name}` });

function heldUntil(until: number): Outcome {
  const error = { type: "rate_limit", message: "not tried", retryable: true };
  return { ok: false, error, startedAt: T0, endedAt: T0, held: { reason: "rate_limited", until, connection: "mail" } };
}

describe("a slot", () => {
  test("is for the more important before the one due earlier", () => {
    const t = drive({
      states: listens,
      actions: [
        action("first", { triggerState: "a" }),
        action("early", { triggerState: "a", delay: 1_000 }),
        action("urgent", { triggerState: "a", delay: 2_000, priority: 90 }),
      ],
    }).start();
    expect(t.clock(5_000).ok("first").runs()).toEqual(["first ok", "early scheduled", "urgent queued"]);
  });

  test("of a run that is skipped is the next one's at once", () => {
    const actions = [action("first", { triggerState: "a", condition: false }), action("next", { triggerState: "a" })];
    expect(drive({ states: listens, actions }).start().newLines().slice(-3)).toEqual([
      "run_skipped 1.0 first: condition_false",
      "run_dispatched 1.1 #1",
      "event_ignored action.first.skipped",
    ]);
  });
});

describe("a condition", () => {
  const wanted = () =>
    drive({
      variables: { wanted: true },
      states: listens,
      actions: [action("mail", { triggerState: "a", condition: variable("wanted") })],
    }).start();

  test.each<[string, (t: Drive) => Drive]>([
    ["the retry of an attempt that failed", (t) => t.miss("mail")],
    ["the retry of an attempt that nobody claimed", (t) => t.take(ask.undeliverable("1.0", 1))],
    ["an attempt that its connection held back", (t) => t.claim("mail").settle("mail", heldUntil(T0 + second))],
  ])("is not asked again at %s", (_, end) => {
    const t = end(wanted()).patch({ wanted: false });
    expect(t.tickAt(minute).runs()).toEqual(["mail queued"]);
  });
});

test("a state's own actions come after what it does on its way in, and go after what it does on its way out", () => {
  const t = drive({
    states: { a: { entry: ["in"], exit: ["out"], on: { go: "b" } }, b: { on: { x: "a" } } },
    actions: [action("own", { triggerState: "a", delay: 1_000 }), action("in"), action("out")],
  }).start();
  expect(t.runs()).toEqual(["in queued", "own scheduled"]);
  t.newLines();
  expect(t.event("go").newLines()).toEqual([
    "event_received go",
    "moved a > b by go",
    "run_created 2.0 out",
    "run_canceled 1.1 own: state_left",
  ]);
});
