// One run is held by a person, and let go again.
import { describe, expect, test } from "vitest";
import { action, ask, drive, hour, minute, T0 } from "#test/support/drive.ts";

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
  test("keeps a run that waits from going, for as long as nobody releases it", () => {
    const t = begun({ delay: "PT1H" }).verb(hold());
    expect(t.newLines().slice(-1)).toEqual(["held_by_hand 1.0"]);
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
    [
      "a run in flight",
      () => begun().claim("mail"),
      hold(),
      "run 1.0 is in flight: nobody can tell what it does meanwhile, so it cannot be held",
    ],
    ["a run that is over", () => begun().ok("mail"), hold(), "run 1.0 is ok: it cannot be held"],
    ["a dead letter", dead, hold(), "run 1.0 is failed: it cannot be held"],
    ["a dead letter, again", dead, release(), "run 1.0 is failed: it cannot be released"],
    ["what is held already", () => begun().verb(hold()), hold(), "run 1.0 is held since 2026-01-05T09:00:00.000Z"],
    ["what nobody holds", begun, release(), "nobody holds run 1.0: it is queued"],
  ])("%s", (_, made, verb, message) => {
    expect(made().refused(ask.verb(verb))).toMatchObject({ code: "verb_not_applicable", message });
  });

  test.each([hold("9.9"), release("9.9")])("what is not there: %j", (verb) => {
    expect(begun().refused(ask.verb(verb))).toEqual({
      code: "not_found",
      message: "there is no run 9.9 in this execution",
      hint: "GET /v1/executions/exe_1/runs has those that are kept.",
    });
  });

  test("and each says what to do instead", () => {
    const hint = (t: ReturnType<typeof begun>, verb: ReturnType<typeof hold | typeof release> = hold()) =>
      t.refused(ask.verb(verb)).hint;
    expect(hint(begun().claim("mail"))).toBe(
      "Wait for its outcome, until 2026-01-05T09:00:35.000Z at the latest, or cancel the execution.",
    );
    expect(hint(dead())).toBe("It is a dead letter: retry, skip or archive it.");
    expect(hint(begun().ok("mail"))).toBe("Nothing is left to be done about it; run-now starts its action anew.");
    expect(hint(begun().verb(hold()))).toBe("Release it to let it go.");
    expect(hint(begun(), release())).toBe("Hold keeps one from going; run-now has it go at once.");
  });
});

describe("a retry of what is no dead letter", () => {
  const hintOf = (t: ReturnType<typeof begun>) => t.refused(ask.retry("1.0")).hint;
  test("says what there is to do", () => {
    expect(hintOf(begun().verb(hold()))).toBe("A person holds it: release it.");
    expect(hintOf(begun().miss("mail"))).toMatch(/^It is tried again at .*; run-now does it at once\.$/);
    expect(hintOf(begun({ delay: "PT1H" }))).toBe("It waits, and has not failed; run-now has it go at once.");
    expect(hintOf(begun())).toMatch(/^It has not ended yet/);
  });
});
