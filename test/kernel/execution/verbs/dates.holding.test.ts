// An operator holds and releases one run.
import { describe, expect, test } from "vitest";
import { action, ask, drive, hour, minute, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const states = { a: { on: { go: "b", "action.mail.ok": "b" } }, b: { on: { x: "a" } } };
const hold = (run = "1.0") => ({ kind: "hold", run }) as const;
const release = (run = "1.0") => ({ kind: "release", run }) as const;
type More = Parameters<typeof action>[1];
const begun = (more: More = {}, concurrency = 1) =>
  drive({
    concurrency,
    states,
    actions: [action("mail", { triggerState: "a", ...more }), action("other", {})],
  }).start();
const delays = { due: { anchor: { var: "execution.variables.date" } } };
const dated = (variables = {}) =>
  drive({ states, delays, actions: [action("mail", { triggerState: "a", delay: "due" })] }).start(variables);

describe("hold", () => {
  test("keeps a waiting run from starting until it is released", () => {
    const t = begun({ delay: "PT1H" }).verb(hold());
    expect(t.newLines().slice(-1)).toEqual(["held_by_operator 1.0"]);
    expect(t.tickAt(5 * hour).runs()).toEqual(["mail scheduled"]);
    expect([t.status, t.wake, t.run("mail").dueAt]).toEqual(["waiting", null, null]);
    expect(t.run("mail").heldByHand).toEqual({
      since: T0,
      dueAt: T0 + hour,
      actor: { kind: "key", id: "key_1" },
      reason: null,
    });
  });

  test("takes back what is queued, and its message finds nothing to claim", () => {
    const t = begun().verb(hold());
    expect([t.runs(), t.run("mail").attempt]).toEqual([["mail scheduled"], 0]);
    expect(t.refused(ask.claim("1.0", 1)).code).toBe("run_stale");
    expect(t.verb(release()).run("mail")).toMatchObject({ status: "queued", attempt: 1 });
    expect(t.ok("mail").at).toBe("b");
  });

  test("takes one in backoff out of its slot, and others have it", () => {
    const t = begun().miss("mail").runNow({ action: "other" });
    expect(t.runs()).toEqual(["mail retry", "other scheduled"]);
    expect(t.verb(hold()).runs()).toEqual(["mail scheduled", "other queued"]);
    expect(t.ok("other").verb(release()).tickAt(minute).run("mail")).toMatchObject({ status: "queued", attempt: 2 });
  });

  test("leaves the rest alone, and may be asked for while it is paused", () => {
    const t = begun().runNow({ action: "other" }).pause().verb(hold()).resume();
    expect(t.runs()).toEqual(["mail scheduled", "other queued"]);
  });

  test("a date that moves meanwhile is the one it goes by", () => {
    const t = dated({ date: T0 + hour })
      .verb(hold())
      .patch({ date: T0 + 2 * hour });
    expect([t.run("mail").dueAt, t.run("mail").heldByHand?.dueAt]).toEqual([null, T0 + 2 * hour]);
    expect(t.moves).toEqual([{ timer: "1.0", from: T0 + hour, to: T0 + 2 * hour }]);
    expect(t.patch({ n: 1 }).moves).toEqual([]);
    expect(
      t
        .verb(release())
        .tickAt(90 * minute)
        .runs(),
    ).toEqual(["mail scheduled"]);
    expect(t.tickAt(2 * hour).runs()).toEqual(["mail queued"]);
  });

  test("one that hangs on a variable waits for both", () => {
    const t = dated()
      .verb(hold())
      .patch({ date: T0 - hour });
    expect(t.runs()).toEqual(["mail scheduled"]);
    expect(t.verb(release()).runs()).toEqual(["mail queued"]);
    expect(dated().verb(hold()).verb(release()).runs()).toEqual(["mail scheduled"]);
  });

  test("is over when its state is left, when it is brought forward, and when it is skipped", () => {
    expect(begun().verb(hold()).event("go").runs()).toEqual(["mail canceled"]);
    const forward = begun().verb(hold()).runNow({ run: "1.0" });
    expect([forward.runs(), forward.run("mail").heldByHand]).toEqual([["mail queued"], null]);
    expect(
      begun()
        .verb(hold())
        .verb({ kind: "skip", target: { run: "1.0" }, result: 1 }).at,
    ).toBe("b");
  });

  test("does not make late work wanted", () => {
    const t = begun({ maxLateness: "PT1H" })
      .verb(hold())
      .clock(2 * hour)
      .verb(release());
    expect(t.runs()).toEqual(["mail skipped"]);
  });
});

describe("neither is done to", () => {
  const dead = () => begun().miss("mail", { retryable: false });
  test.each([
    ["a run in flight", () => begun().claim("mail"), hold(), "1.0"],
    ["a run that is over", () => begun().ok("mail"), hold(), "ok"],
    ["a dead letter", dead, hold(), "failed"],
    ["a dead letter, again", dead, release(), "failed"],
    ["what is held already", () => begun().verb(hold()), hold(), "2026-01-05T09:00:00.000Z"],
    ["a run that is not held", begun, release(), "queued"],
  ])("%s", (_, made, verb, named) => {
    const message = naming("1.0", named);
    expect(made().refused(ask.verb(verb))).toMatchObject({ code: "verb_not_applicable", message });
  });

  test.each([hold("9.9"), release("9.9")])("what is not there: %j", (verb) => {
    expect(begun().refused(ask.verb(verb))).toEqual({
      code: "not_found",
      message: naming("9.9"),
      hint: naming("GET /v1/executions/exe_1/runs"),
    });
  });

  test("and each says what to do instead", () => {
    const hint = (t: ReturnType<typeof begun>, verb: ReturnType<typeof hold | typeof release> = hold()) =>
      t.refused(ask.verb(verb)).hint;
    expect(hint(begun().claim("mail"))).toEqual(naming("2026-01-05T09:00:35.000Z", "cancel"));
    expect(hint(dead())).toEqual(naming("retry", "skip", "archive"));
    expect(hint(begun().ok("mail"))).toEqual(naming("run-now"));
    expect(hint(begun().verb(hold()))).toMatch(/\brelease\b/i);
    expect(hint(begun(), release())).toMatch(/\bhold\b.*\brun-now\b/i);
  });
});

describe("a retry of what is no dead letter", () => {
  const hintOf = (t: ReturnType<typeof begun>) => t.refused(ask.retry("1.0")).hint;
  test("says what there is to do", () => {
    const missed = begun().miss("mail");
    expect(hintOf(begun().verb(hold()))).toEqual(naming("release"));
    expect(hintOf(missed)).toEqual(naming(new Date(missed.run("mail").dueAt ?? NaN).toISOString(), "run-now"));
    expect(hintOf(begun({ delay: "PT1H" }))).toEqual(naming("run-now"));
    expect(hintOf(begun())).toEqual(naming("GET /v1/executions/exe_1/runs"));
  });
});
