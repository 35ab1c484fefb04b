// An operator skips a run.
import { describe, expect, test } from "vitest";
import type { Json } from "#schema/json.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import { action, ask, drive, driveProgram, type Drive } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const states = {
  a: { on: { go: "b", "action.mail.ok": "b", "action.mail.skipped": "c" } },
  b: { on: { x: "a" } },
  c: { on: { x: "a" } },
};
type More = Parameters<typeof action>[1];
const begun = (more: More = {}) => drive({ states, actions: [action("mail", { triggerState: "a", ...more })] }).start();
const run = (id = "1.0", given: { result?: Json } = {}) => ({ kind: "skip", target: { run: id }, ...given }) as const;
const node = (name: string, given: { result?: Json } = {}) =>
  ({ kind: "skip", target: { node: name }, ...given }) as const;

describe("a run that is skipped", () => {
  const waiting: readonly (readonly [string, () => Drive])[] = [
    ["scheduled", () => begun({ delay: "PT1H" })],
    ["queued", begun],
    ["in backoff", () => begun().miss("mail")],
    ["held", () => begun().verb({ kind: "hold", run: "1.0" })],
    ["a dead letter", () => begun().miss("mail", { retryable: false })],
  ];
  test.each(waiting)("%s: its machine hears that it was skipped", (_, made) => {
    const t = made().verb(run());
    expect([t.at, t.run("1.0").status, t.run("1.0").reason, t.run("1.0").deadLetter]).toEqual([
      "c",
      "skipped",
      "by_operator",
      false,
    ]);
    expect(t.newLines().slice(-3)).toEqual([
      "skipped_by_operator 1.0",
      "run_skipped 1.0 mail: by_operator",
      "moved a > c by action.mail.skipped",
    ]);
  });

  test.each(waiting)("%s, with a result: its machine hears that it went well", (_, made) => {
    const t = made().verb(run("1.0", { result: { id: 7 } }));
    expect([t.at, t.run("1.0").status, t.run("1.0").result]).toEqual(["b", "skipped", { id: 7 }]);
    expect(t.state.lastAction).toMatchObject({ actionName: "mail", succeeded: true, inProgress: false });
    expect(t.entries.find(({ kind }) => kind === "skipped_by_operator")).toMatchObject({
      result: { id: 7 },
      actor: { id: "key_1" },
    });
  });

  test("null is a result, too", () => {
    expect(begun().verb(run("1.0", { result: null })).at).toBe("b");
  });

  test("its message finds nothing to claim, and what was heard of its failure is forgotten", () => {
    expect(begun().verb(run()).refused(ask.claim("1.0", 1)).code).toBe("run_stale");
    const on = { "action.mail.failed": "f", go: "b" };
    const t = drive({
      states: { a: { on }, f: { on: { "action.mail.ok": "b", "action.mail.skipped": "b" } }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a" })],
    });
    t.start().miss("mail", { retryable: false });
    expect([t.at, t.run("mail").heard?.event]).toEqual(["f", "action.mail.failed"]);
    expect(t.verb(run()).run("1.0").heard).toBe(null);
    expect(t.at).toBe("b");
  });

  test("during a pause what it has to say waits", () => {
    const t = begun({ delay: "PT1H" }).pause().verb(run());
    expect([t.at, t.runs()]).toEqual(["a", ["mail skipped"]]);
    expect(t.resume().at).toBe("c");
  });

  test("an action on its own ends with it, as done where it has a result", () => {
    const standalone = { action: action("call"), dedup: null };
    const alone = () =>
      driveProgram([oneActionProgram(standalone), oneActionProgram(standalone)], 0, { standalone }).start();
    expect([alone().verb(run()).at, alone().verb(run("1.0", { result: 1 })).at]).toEqual(["skipped", "done"]);
    expect(alone().miss("call", { retryable: false }).verb(run()).status).toBe("completed");
  });
});

describe("a run is not skipped", () => {
  const handled = () =>
    drive({
      states: { a: { on: { "action.mail.failed": "b" } }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a" })],
    })
      .start()
      .miss("mail", { retryable: false });
  const archived = () => begun().miss("mail", { retryable: false }).archive("mail");

  test.each([
    ["in flight", () => begun().claim("mail"), "1.0", "2026-01-05T09:00:35.000Z"],
    ["that is over", () => begun().ok("mail"), "ok", "run-now"],
    ["whose failure is taken care of", handled, "handled", "archive"],
    ["that was archived", archived, "failed", "run-now"],
  ])("%s", (_, made, status, way) => {
    const refusal = { code: "verb_not_applicable", message: naming("1.0", status), hint: naming(way) };
    expect(made().refused(ask.verb(run()))).toMatchObject(refusal);
  });

  test("whose failure is taken care of: what there is to do is said", () => {
    expect(handled().refused(ask.verb(run())).hint).toEqual(naming("archive", "retry", "force"));
  });

  test("that is not there", () => {
    expect(begun().refused(ask.verb(run("9.9"))).code).toBe("not_found");
  });

  test("if nothing would be left to wait for: then it needs a result", () => {
    const deaf = () =>
      drive({
        states: { a: { on: { "action.mail.ok": "b" } }, b: {} },
        actions: [action("mail", { triggerState: "a" })],
      }).start();
    expect(deaf().refused(ask.verb(run()))).toEqual({
      code: "verb_not_applicable",
      message: expect.any(String),
      hint: naming('"result"', "cancel"),
    });
    const other = drive({
      states: { a: { on: { "action.mail.ok": "b" } }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a" }), action("beside", { triggerState: "a" })],
    }).start();
    expect(other.verb(run()).runs()).toEqual(["mail skipped", "beside queued"]);
  });

  test("with a result that its rules cannot take, and nothing has changed", () => {
    const on = { "action.mail.ok": { target: "b", guard: { "+": [{ var: "message.payload.result" }, 1] } } };
    const t = drive({
      states: { a: { on: { ...on, go: "b" } }, b: {} },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    expect(t.refused(ask.verb(run("1.0", { result: "two" })))).toMatchObject({ code: "invalid_input" });
  });

  test("as a node, where there are none", () => {
    expect(begun().refused(ask.verb(node("a")))).toEqual({
      code: "verb_not_applicable",
      message: naming("nodes"),
      hint: naming("go"),
    });
  });
});
