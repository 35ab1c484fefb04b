// The cap of a run: on its ticket when it is claimed, held until a slot opens, skipped if its action does not wait.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Program } from "#kernel/execution/program.ts";
import type { Cap } from "#schema/definition/cap.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, driveProgram, failure, hour, machine, second, T0, type Drive } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const states = { a: { on: { "action.mail.skipped": "passed", go: "b" } }, passed: {}, b: {} };
const mail = action("mail", { triggerState: "a", retryPolicy: { maxAttempts: 3 } });
const week: Cap = { max: 3, per: "P7D" };

function capped(cap: Cap, timezone?: string): Drive {
  const definition = machine({ states, actions: [mail], ...(timezone === undefined ? {} : { timezone }) });
  return driveProgram([underCap(compile(definition), cap), underCap(compile(definition), cap)], 0, {
    subject: { key: "couple-1", until: T0 },
  });
}

/** A program whose action has a cap, as a journey's node has. */
function underCap(program: Program, cap: Cap): Program {
  const actions = [...program.actions].map(([id, each]) => [id, { ...each, cap: { ...cap, name: "gentle" } }] as const);
  return { ...program, actions: new Map(actions) };
}
const onTicket = (t: Drive) => t.claim("mail").run("mail").cap;

describe("a claimed run has on its ticket", () => {
  const rolling = { kind: "rolling", ms: 7 * 24 * hour } as const;
  const dayIn = (timezone: string) => ({ kind: "day", timezone }) as const;
  const byRule: Cap = { max: 1, calendar: "day", timezone: { var: "execution.variables.zone" } };
  test.each<[string, Cap, string | undefined, JsonObject, object]>([
    ["a window that moves with the clock", week, undefined, {}, { window: rolling, max: 3, over: "wait" }],
    ["the outcome above the limit", { ...week, over: "skip" }, undefined, {}, { over: "skip" }],
    ["the day in UTC", { max: 1, calendar: "day" }, undefined, {}, { window: dayIn("UTC") }],
    [
      "the day in the definition's zone",
      { max: 1, calendar: "day" },
      "Asia/Tokyo",
      {},
      { window: dayIn("Asia/Tokyo") },
    ],
    [
      "the day in the cap's zone",
      { max: 1, calendar: "day", timezone: "Europe/Zurich" },
      "Asia/Tokyo",
      {},
      { window: dayIn("Europe/Zurich") },
    ],
    [
      "the day in the subject's zone",
      byRule,
      "Asia/Tokyo",
      { zone: "America/Lima" },
      { window: dayIn("America/Lima") },
    ],
    ["another where that is none", byRule, "Asia/Tokyo", { zone: "Moon/Base" }, { window: dayIn("Asia/Tokyo") }],
    ["another where there is none", byRule, "Asia/Tokyo", {}, { window: dayIn("Asia/Tokyo") }],
  ])("%s", (_name, cap, timezone, variables, expected) => {
    expect(onTicket(capped(cap, timezone).start(variables))).toMatchObject({
      name: "gentle",
      subject: "couple-1",
      ...expected,
    });
  });
});

test("an unknown zone is in the journal, and a rule that breaks fails the run", () => {
  const byRule = { var: "execution.variables.zone" };
  const t = capped({ max: 1, calendar: "day", timezone: byRule }, "Asia/Tokyo").start({ zone: "Moon/Base" });
  expect(t.claim("mail").newLines()).toContain('timezone_unknown 1.0 mail: "Moon/Base", so Asia/Tokyo');
  expect(t.run("mail")).toMatchObject({ status: "running", zoneUnknown: true });
  const broken = { "+": [byRule, 1] };
  const failed = capped({ max: 1, calendar: "day", timezone: broken }).start({ zone: { a: 1 } });
  expect(failed.claim("mail").run("mail")).toMatchObject({
    status: "failed",
    error: { type: "invalid_configuration" },
  });
});

test("a run without a cap has none, and one without a subject is never sent uncapped", () => {
  const definition = machine({ states, actions: [mail] });
  const plain = driveProgram([compile(definition), compile(definition)])
    .start()
    .claim("mail");
  expect(plain.run("mail").cap).toBeUndefined();
  const programs = [underCap(compile(definition), week), underCap(compile(definition), week)] as const;
  const t = driveProgram(programs).start().claim("mail");
  const error = { type: "invalid_configuration", message: naming("gentle") };
  expect(t.run("mail")).toMatchObject({ status: "failed", error });
});

test("above its cap it is held until a slot opens, and no attempt is spent", () => {
  const t = capped(week).start().claim("mail");
  const until = T0 + 5 * hour;
  t.settle("mail", { ...failure(), held: { reason: "cap", until, connection: null } } as Outcome);
  expect(t.run("mail")).toMatchObject({ status: "scheduled", attempt: 0, dueAt: until, held: { reason: "cap" } });
  expect(t.wake).toBe(5 * hour);
  t.tickAt(5 * hour).ok("mail");
  expect(t.run("mail")).toMatchObject({ status: "ok", attempt: 1 });
});

const skipped: Outcome = { ...failure(), skipped: "capped" } as Outcome;

test("with over: skip it is skipped, uses no attempt, and the process continues", () => {
  const t = capped({ ...week, over: "skip" })
    .start()
    .claim("mail")
    .settle("mail", skipped);
  expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "capped", attempt: 0, attempts: [] });
  expect(t.at).toBe("passed");
  expect(t.status).toBe("failed"); // the machine waits for nothing else
});

test("one whose state was left meanwhile is canceled, not skipped", () => {
  const t = capped({ ...week, over: "skip" })
    .start()
    .claim("mail")
    .event("go")
    .settle("mail", skipped);
  expect(t.run("mail").status).toBe("canceled");
});

test("a try that may have been sent stays in its history when the next one is skipped", () => {
  const t = capped({ ...week, over: "skip" })
    .start()
    .claim("mail");
  t.settle("mail", failure({ effect: "unknown" })).tickAt(10 * second);
  t.claim("mail").settle("mail", skipped);
  expect(t.run("mail")).toMatchObject({ status: "skipped", attempt: 1, attempts: [{ attempt: 1 }] });
});

describe("a cap with a subject of its own", () => {
  const variables = { customer: "c-1", number: 7, list: [1] };
  test.each<[string, Cap["subject"], string]>([
    ["a text", "everyone", "everyone"],
    ["a template", "customer {{ execution.variables.customer }}", "customer c-1"],
    ["a template that is one number", "{{ execution.variables.number }}", "7"],
    ["a rule", { var: "execution.variables.customer" }, "c-1"],
    ["a rule that gives a number", { var: "execution.variables.number" }, "7"],
  ])("%s", (_name, subject, key) => {
    expect(onTicket(capped({ ...week, subject }).start(variables))).toMatchObject({ name: "gentle", subject: key });
  });

  test.each<[string, Cap["subject"]]>([
    ["a rule that gives nothing", { var: "execution.variables.missing" }],
    ["a rule that gives a list", { var: "execution.variables.list" }],
    ["a rule that fails", { throw: "x" }],
    ["a template that reads no variable", "{{ execution.variables.missing }}"],
    ["a template that contains a secret", "{{ secrets.salt }}"],
  ])("is never sent uncounted: %s", (_name, subject) => {
    const t = capped({ ...week, subject })
      .start(variables)
      .claim("mail");
    expect(t.run("mail")).toMatchObject({ status: "failed", error: { type: "invalid_configuration" } });
    expect(t.run("mail").attempts).toEqual([]);
  });
});

test("the day of a standalone action's cap is in the zone of the action", () => {
  const cap = { name: "daily", max: 1, calendar: "day", subject: "everyone" } as const;
  const standalone = { action: { ...action("mail"), timezone: "Asia/Tokyo", cap }, dedup: null };
  const programs = [oneActionProgram(standalone), oneActionProgram(standalone)] as const;
  const t = driveProgram(programs, 0, { pooled: true, standalone }).start();
  expect(onTicket(t)).toMatchObject({ window: { kind: "day", timezone: "Asia/Tokyo" }, subject: "everyone" });
});
