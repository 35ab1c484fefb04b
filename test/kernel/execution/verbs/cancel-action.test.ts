// An operator gives up an action that has not ended.
import { describe, expect, test } from "vitest";
import type { Json } from "#schema/json.ts";
import { action, ask, drive, failure, second, success, type Drive } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";
import { act, go } from "../../programs/journey/drive-journey.ts";
import { go as reconcile } from "../../programs/reconciler/drive-reconciler.ts";

const states = {
  a: { on: { go: "b", "action.mail.ok": "b", "action.mail.skipped": "c" } },
  b: { on: { x: "a" } },
  c: { on: { x: "a", "action.mail.ok": "b" } },
};
type More = Parameters<typeof action>[1];
const begun = (more: More = {}) => drive({ states, actions: [action("mail", { triggerState: "a", ...more })] }).start();
const cancel = (target: { run: string } | { action: string } | null = null, given: { result?: Json } = {}) =>
  ({ kind: "cancelAction", target, ...given }) as const;
const refusalOf = (t: Drive, verb: ReturnType<typeof cancel>) => t.refused(ask.verb(verb));

describe("an action in flight", () => {
  test("is aborted with an unknown effect, and its machine goes on as after a skip", () => {
    const t = begun().claim("mail");
    t.newLines();
    t.verb(cancel());
    const error = { type: "aborted", code: "attempt_canceled", effect: "unknown", retryable: false };
    expect(t.at).toBe("c");
    expect(t.run("1.0")).toMatchObject({
      status: "canceled",
      reason: "canceled_by_operator",
      deadLetter: false,
      error,
    });
    expect(t.effects).toContainEqual({ kind: "abort", run: "1.0", attempt: 1 });
    expect(t.newLines()).toEqual([
      "action_canceled 1.0",
      "run_canceled 1.0 mail: canceled_by_operator",
      "moved a > c by action.mail.skipped",
    ]);
    expect(t.state.lastAction).toMatchObject({ inProgress: false, succeeded: false, failed: false });
  });

  test("counts as done with a result, and its late success changes the run only", () => {
    const t = begun()
      .claim("mail")
      .verb(cancel({ run: "1.0" }, { result: { id: 7 } }));
    expect([t.at, t.run("1.0").status, t.run("1.0").result]).toEqual(["b", "skipped", { id: 7 }]);
    expect(t.state.lastAction).toMatchObject({ actionName: "mail", succeeded: true });
    t.newLines();
    t.take(ask.settle("1.0", 1, success({ result: { id: 8 } })));
    expect([t.at, t.run("1.0").status, t.run("1.0").result]).toEqual(["b", "ok", { id: 8 }]);
    expect(t.newLines()).toEqual(["run_settled 1.0 #1", "run_ok 1.0 mail"]);
  });

  test("may succeed later, which counts, or fail later, which does not", () => {
    const t = begun().claim("mail").verb(cancel());
    expect(t.refused(ask.settle("1.0", 1, failure())).code).toBe("run_stale");
    expect(t.take(ask.settle("1.0", 1, success())).at).toBe("b");
  });

  test("of a state that was left is aborted without an event", () => {
    const t = begun().claim("mail").event("go");
    t.newLines();
    t.verb(cancel());
    expect(t.newLines()).toEqual(["action_canceled 1.0", "run_canceled 1.0 mail: canceled_by_operator"]);
    expect([t.at, t.run("1.0").status]).toEqual(["b", "canceled"]);
  });

  test("is canceled during a pause, and what follows waits", () => {
    const t = begun().claim("mail").pause().verb(cancel());
    expect([t.at, t.runs()]).toEqual(["a", ["mail canceled"]]);
    expect(t.resume().at).toBe("c");
  });

  test("that creates a task: the task is withdrawn after its creation", () => {
    const task = { type: "task", config: { title: "Approve" } } as const;
    const t = begun(task).claim("mail").verb(cancel());
    expect(t.state.tasks).toMatchObject([{ run: "1.0", withdrawn: { reason: "canceled_by_operator" } }]);
  });
});

describe("an action that is not in flight", () => {
  test.each<[string, () => Drive]>([
    ["scheduled", () => begun({ delay: "PT1H" })],
    ["queued", begun],
    ["in backoff", () => begun().miss("mail")],
    ["held", () => begun().verb({ kind: "hold", run: "1.0" })],
  ])("%s: is canceled without an abort", (_, made) => {
    const t = made().verb(cancel({ action: "mail" }));
    expect([t.at, t.run("1.0").status, t.run("1.0").reason]).toEqual(["c", "canceled", "canceled_by_operator"]);
    expect(t.effects.some(({ kind }) => kind === "abort")).toBe(false);
  });
});

describe("the request is refused", () => {
  test.each<[string, () => Drive, ReturnType<typeof cancel>, readonly string[]]>([
    ["the run has ended", () => begun().ok("mail"), cancel({ run: "1.0" }), ["1.0", "ok"]],
    ["it is a dead letter", () => begun().miss("mail", { retryable: false }), cancel({ run: "1.0" }), ["failed"]],
    ["no action is open", () => begun().ok("mail"), cancel(), ["execution"]],
    ["the action is not open", begun, cancel({ action: "other" }), ["other"]],
  ])("%s", (_, made, verb, named) => {
    expect(refusalOf(made(), verb)).toMatchObject({ code: "verb_not_applicable", message: naming(...named) });
  });

  test("the run does not exist", () => {
    expect(refusalOf(begun(), cancel({ run: "9.9" })).code).toBe("not_found");
  });

  test("several actions are open: it names them", () => {
    const t = drive({ states, actions: [action("mail", { triggerState: "a" }), action("sms", { triggerState: "a" })] });
    expect(refusalOf(t.start(), cancel()).message).toEqual(naming("1.0", "1.1"));
    expect(t.verb(cancel({ action: "sms" })).runs()).toEqual(["mail queued", "sms canceled"]);
  });

  test("nothing would be left to wait for: then it needs a result", () => {
    const deaf = drive({
      states: { a: { on: { "action.mail.ok": "b" } }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a" })],
    });
    expect(refusalOf(deaf.start().claim("mail"), cancel())).toMatchObject({
      code: "verb_not_applicable",
      hint: naming("result"),
    });
    expect(deaf.verb(cancel(null, { result: null })).at).toBe("b");
  });
});

describe("a journey", () => {
  test("skips the node whose action is given up, also without a result", () => {
    const t = go({ nodes: { a: act("b"), b: act() } });
    t.start()
      .claim("a")
      .verb(cancel({ action: "a" }));
    expect(t.marks()).toEqual({ a: "skipped canceled_by_operator", b: "waiting" });
    expect(t.run("1.0").status).toBe("canceled");
  });

  test("counts the node as done with a result", () => {
    const t = go({ nodes: { a: act("b"), b: act() } });
    t.start()
      .claim("a")
      .verb(cancel({ run: "1.0" }, { result: 1 }));
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });
});

describe("a reconciler", () => {
  const isIdle = { "!": [{ var: "action.inProgress" }] };
  const rules = [
    { when: { "===": [{ var: "action.actionName" }, ""] }, emit: "start" },
    { when: isIdle, emit: "repair" },
  ];
  const started = () =>
    reconcile({ states: { A: { rules } }, actions: [action("start"), action("repair")] }).tickAt(second);

  test("aborts its action, and its rules continue at the next tick", () => {
    const t = started().claim("start").verb(cancel());
    expect(t.effects).toContainEqual({ kind: "abort", run: t.run("start").id, attempt: 1 });
    expect(t.state.lastAction).toMatchObject({ inProgress: false, succeeded: false, failed: false });
    expect(t.tickAt(2 * second).runs()).toEqual(["start canceled", "repair queued"]);
  });

  test("sees a success if there is a result", () => {
    expect(
      started()
        .claim("start")
        .verb(cancel(null, { result: 1 })).state.lastAction?.succeeded,
    ).toBe(true);
  });
});
