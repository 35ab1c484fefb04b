// The order of due runs, and when their conditions are evaluated again.
import { describe, expect, test } from "vitest";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import { action, ask, drive, hour, minute, second, T0, type Drive } from "#test/support/drive.ts";

const listens = { a: { on: { go: "b" } }, b: { on: { back: "a" } } };

type HoldReason = Hold["reason"];

const variable = (name: string) => ({ var: `execution.variables.${name}` });

function heldUntil(until: number, reason: HoldReason = "rate_limited"): Outcome {
  const error = { type: "rate_limit", message: "not tried", retryable: true };
  return { ok: false, error, startedAt: T0, endedAt: T0, held: { reason, until, connection: "mail" } };
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
    ["the retry of an attempt that was not claimed", (t) => t.take(ask.undeliverable("1.0", 1))],
    [
      "an attempt that waits for a receipt, and checks it again",
      (t) => t.claim("mail").settle("mail", heldUntil(T0 + second, "awaiting_receipt")),
    ],
    [
      "the same, held by its connection when it came back",
      (t) =>
        t
          .claim("mail")
          .settle("mail", heldUntil(T0 + second, "awaiting_receipt"))
          .tickAt(second)
          .claim("mail")
          .settle("mail", heldUntil(T0 + minute)),
    ],
    [
      "an attempt whose delivery was lost, when the next one was held",
      (t) =>
        t
          .claim("mail")
          .take(ask.orphaned("1.0"))
          .claim("mail")
          .settle("mail", heldUntil(T0 + second)),
    ],
  ])("is not asked again at %s", (_, end) => {
    const t = end(wanted()).patch({ wanted: false });
    expect(t.tickAt(minute).runs()).toEqual(["mail queued"]);
  });

  test("is evaluated again when the hold of the run ends, and not before", () => {
    const t = wanted()
      .claim("mail")
      .settle("mail", heldUntil(T0 + hour))
      .patch({ wanted: false });
    expect(t.tickAt(minute).runs()).toEqual(["mail scheduled"]);
    expect(t.tickAt(hour).run("mail")).toMatchObject({ status: "skipped", reason: "condition_false" });
  });

  test("that still holds then leaves what was frozen as it was", () => {
    const t = drive({
      variables: { wanted: true, to: "ada" },
      states: listens,
      actions: [
        action("mail", {
          triggerState: "a",
          condition: variable("wanted"),
          config: { to: "{{ execution.variables.to }}" },
        }),
      ],
    }).start();
    t.claim("mail")
      .settle("mail", heldUntil(T0 + hour))
      .patch({ to: "bob" })
      .tickAt(hour)
      .claim("mail");
    expect(t.run("mail").config).toEqual({ to: "ada" });
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
