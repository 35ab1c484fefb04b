// Whether a run still starts: conditions, and limits on its lateness.
import { describe, expect, test } from "vitest";
import { action, drive, hour, minute, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const listens = { a: { on: { go: "b" } }, b: { on: { back: "a" } } };

const variable = (name: string) => ({ var: `execution.variables.${name}` });

describe("conditions", () => {
  const conditional = (condition: NonNullable<Parameters<typeof action>[1]>["condition"]) =>
    drive({
      states: { a: { on: { "action.mail.skipped": "b", go: "b" } }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a", delay: 1_000, condition })],
    });

  test("are asked when the run would start, not when it is made", () => {
    const t = conditional(variable("wanted")).start({ wanted: true }).patch({ wanted: false }).tickAt(1_000);
    expect([t.runs(), t.at]).toEqual([["mail skipped"], "b"]);
    expect(t.newLines()).toContain("run_skipped 1.0 mail: condition_false");
  });

  test("are not asked again for a retry", () => {
    const t = conditional(variable("wanted"))
      .start({ wanted: true })
      .tickAt(1_000)
      .miss("mail")
      .patch({ wanted: false });
    expect(t.tickAt(2_000).runs()).toEqual(["mail queued"]);
  });

  test("that cannot be evaluated end the run as a dead letter", () => {
    const t = conditional("not a rule").start().tickAt(1_000);
    expect(t.run("mail")).toMatchObject({ status: "failed", deadLetter: true });
    expect(t.run("mail").error?.type).toBe("invalid_configuration");
  });

  test("see the message that set the run off, also later", () => {
    const t = drive({
      states: { a: { on: { go: "b" } }, b: { on: { x: "a" } } },
      actions: [
        action("mail", { triggerState: "b", delay: 1_000, condition: { "==": [{ var: "message.payload.n" }, 7] } }),
      ],
    })
      .start()
      .event("go", { n: 7 });
    expect(t.tickAt(1_000).runs()).toEqual(["mail queued"]);
  });
});

describe("late work is skipped with a reason", () => {
  const late = { maxLateness: "PT1M" } as const;
  const invalid = { validUntil: new Date(T0 + minute).toISOString() };
  const bound = (part: Parameters<typeof action>[1]) =>
    drive({
      states: listens,
      actions: [action("blocker", { triggerState: "a", priority: 9 }), action("mail", { triggerState: "a", ...part })],
    }).start();

  test.each([
    ["late", late],
    ["no_longer_valid", invalid],
  ] as const)("%s: at the start", (reason, part) => {
    const t = bound(part)
      .clock(minute + 1)
      .ok("blocker");
    expect([t.run("mail").status, t.run("mail").reason]).toEqual(["skipped", reason]);
  });

  test.each([
    ["late", late],
    ["no_longer_valid", invalid],
  ] as const)("%s: at the claim", (reason, part) => {
    const t = bound(part)
      .ok("blocker")
      .clock(minute + 1)
      .claim("mail");
    expect([t.run("mail").status, t.run("mail").reason]).toEqual(["skipped", reason]);
  });

  test.each([
    ["late", late],
    ["no_longer_valid", invalid],
  ] as const)("%s: at the retry", (reason, part) => {
    const t = bound(part)
      .ok("blocker")
      .miss("mail")
      .tickAt(minute + 1);
    expect([t.run("mail").status, t.run("mail").reason]).toEqual(["skipped", reason]);
  });

  test.each([
    ["late", late],
    ["no_longer_valid", invalid],
  ] as const)("%s: on resume", (reason, part) => {
    const t = bound(part)
      .ok("blocker")
      .pause()
      .clock(minute + 1)
      .resume();
    expect([t.run("mail").status, t.run("mail").reason]).toEqual(["skipped", reason]);
  });

  test("but not on the very instant", () => {
    expect(
      bound({ ...late, ...invalid })
        .clock(minute)
        .ok("blocker")
        .run("mail").status,
    ).toBe("queued");
  });

  test("lateness is counted from the first instant it was due", () => {
    const t = drive({
      states: listens,
      actions: [action("mail", { triggerState: "a", delay: "PT1H", ...late })],
    }).start();
    expect(t.tickAt(hour + minute).runs()).toEqual(["mail queued"]);
  });

  test("a run that was brought forward before its time is known is never late", () => {
    const delay = { anchor: variable("date") };
    const t = drive({ states: listens, actions: [action("mail", { triggerState: "a", delay, ...late })] }).start();
    expect(t.clock(hour).runNow({ run: "1.0" }).runs()).toEqual(["mail queued"]);
  });

  test.each([
    ["a variable that is not there yet sets no bound", variable("date"), "queued", null],
    ["a rule that fails ends the run", { "+": ["x"] }, "failed", naming("validUntil")],
    ["a value that is no moment ends the run", "soon", "failed", naming("validUntil", "soon")],
  ])("%s", (_fact, validUntil, status, message) => {
    const run = bound({ validUntil }).ok("blocker").run("mail");
    expect(run.status).toBe(status);
    if (message !== null) expect(run.error).toMatchObject({ type: "invalid_configuration", message });
  });
});
