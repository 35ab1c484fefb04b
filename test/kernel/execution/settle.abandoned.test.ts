// Abandoned runs in flight: their state was left, or their execution has ended. They end without a dead letter,
// whatever their failure.
import { describe, expect, test } from "vitest";
import { SETTLE_GRACE_MS } from "#schema/limits/run-attempts.ts";
import { ask, failure, hour, second, success, type Drive } from "#test/support/drive.ts";
import { one, type ActionPart } from "#test/support/one-mail.ts";
import { naming } from "#test/support/matchers/naming.ts";

const overdue = 30 * second + SETTLE_GRACE_MS;
const held = { reason: "rate_limited", until: 0, connection: "mail" } as const;

const by = { message: "m1", delivery: 1, arrival: "b1" };
const claimed = (...what: Parameters<typeof one>) => one(...what).take(ask.claim("1.0", 1, by));

const ends: readonly (readonly [string, (t: Drive) => Drive])[] = [
  ["its last try fails", (t) => t.settle("mail", failure())],
  ["it fails with what cannot get better", (t) => t.settle("mail", failure({ retryable: false }))],
  ["its deadline passes", (t) => t.tickAt(overdue)],
  ["the queue gives up on it", (t) => t.take(ask.undeliverable("1.0", 1))],
  ["its message is delivered again", (t) => t.take(ask.claim("1.0", 1, { ...by, delivery: 2, arrival: "b2" }))],
  ["its object went down with it", (t) => t.take(ask.orphaned("1.0"))],
  ["its connection holds it", (t) => t.settle("mail", { ...failure(), held } as ReturnType<typeof failure>)],
];
const left: readonly (readonly [string, string, string, (t: Drive) => Drive])[] = [
  ["its state was left", "waiting", "state_left", (t) => t.event("leave")],
  ["its state was left, and it is paused", "paused", "state_left", (t) => t.event("leave").pause()],
  ["its execution was canceled", "canceled", "execution_canceled", (t) => t.cancel()],
];
const wanted: readonly (readonly [string, ActionPart])[] = [
  ["", {}],
  [", onExhausted: fail", { onExhausted: "fail" }],
  [", onExhausted: pause", { onExhausted: "pause" }],
  [", onExhausted: an event", { onExhausted: { event: "gone" } }],
];

describe.each(left)("%s", (_what, status, reason, leave) => {
  describe.each(ends)("%s", (_end, end) => {
    test.each(wanted)("it is canceled, and has no result%s", (_said, part) => {
      const states = { a: { on: { leave: "b" } }, b: { on: { gone: "a", "action.mail.failed": "a", back: "a" } } };
      const t = end(leave(claimed({ retryPolicy: { maxAttempts: 1 }, ...part }, states)));
      expect([t.status, t.at, t.state.error]).toEqual([status, status === "canceled" ? "a" : "b", null]);
      expect(t.run("mail")).toMatchObject({ status: "canceled", reason, deadLetter: false });
      expect(t.state.buffer).toEqual([]);
      expect(t.effects.filter(({ kind }) => kind === "dispatch")).toEqual([]);
      expect(t.state.lastAction).toMatchObject({ inProgress: false, failed: false });
    });
  });
});

describe("how it ended is kept", () => {
  const unwanted = () =>
    one({ retryPolicy: { maxAttempts: 1 } })
      .claim("mail")
      .event("leave");

  test("with its error, its attempt and what it cost", () => {
    const t = unwanted().settle("mail", failure({ retryable: false }, { costEstimate: 2 }));
    const error = { type: "service_unavailable" };
    expect(t.run("mail")).toMatchObject({ error, attempts: [{ error }], costEstimate: 2 });
    expect(t.entries.at(-1)).toMatchObject({ kind: "run_canceled", reason: "state_left", error });
  });

  test("as unknown where its object went down with it", () => {
    const t = unwanted().take(ask.orphaned("1.0"));
    expect(t.run("mail").error).toMatchObject({ type: "unknown_error", message: naming(1), effect: "unknown" });
  });

  test("a success is a success", () => {
    expect(unwanted().settle("mail", success()).run("mail").status).toBe("ok");
  });
});

test("one that was sent again before its state was left is not claimed", () => {
  const t = one().claim("mail").take(ask.orphaned("1.0")).event("leave");
  expect(t.run("mail")).toMatchObject({ status: "canceled", reason: "state_left" });
  expect(t.refused(ask.claim("1.0", 1)).code).toBe("run_stale");
});

describe("abandoned runs that older code sent again", () => {
  const sent = (part: { status: "queued" | "scheduled"; dueAt: number | null; attempt: number }) => {
    const t = one().claim("mail").take(ask.orphaned("1.0"));
    return t.become({ ...t.state, runs: t.state.runs.map((run) => ({ ...run, ...part, unwanted: true })) });
  };

  test("ends when it is claimed", () => {
    const t = sent({ status: "queued", dueAt: null, attempt: 1 }).take(ask.claim("1.0", 1));
    expect(t.run("mail")).toMatchObject({ status: "canceled", reason: "state_left", deadLetter: false });
  });

  test("ends when it would be sent again", () => {
    const t = sent({ status: "scheduled", dueAt: hour, attempt: 0 }).tickAt(hour);
    expect(t.run("mail")).toMatchObject({ status: "canceled", reason: "state_left" });
  });
});
