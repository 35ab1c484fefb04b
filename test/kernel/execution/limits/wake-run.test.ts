// Wake-ups of runs that a limit by key holds: a waiting run starts at once, and any other run stays as it is.
import { expect, test } from "vitest";
import { answerWake } from "#kernel/execution/limits/wake-run.ts";
import { compile } from "#kernel/programs/compile.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import { action, driveProgram, failure, hour, machine, second, T0, type Drive } from "#test/support/drive.ts";

const limit = [{ name: "mails", key: "ada", concurrency: 1 }];
const states = { a: { on: { leave: "b" } }, b: { on: { back: "a" } } };
const place = { name: "mails", since: T0, stage: "line", ahead: 0 } as const;
const heldBy = (reason: Hold["reason"], places: Hold["places"] = [place]): Outcome =>
  ({ ...failure(), held: { reason, until: T0 + hour, connection: null, places } }) as Outcome;
const started = (): Drive => {
  const definition = machine({ states, actions: [action("mail", { triggerState: "a", limit })] });
  return driveProgram([compile(definition), compile(definition)])
    .start()
    .claim("mail");
};
const held = (outcome: Outcome = heldBy("limit_concurrency")): Drive => started().settle("mail", outcome);
const wake = (t: Drive, at = T0 + second, name = "mails"): Drive =>
  t.take({ kind: "wakeRun", run: "1.0", limit: name, at });
const answer = (t: Drive, name = "mails") => answerWake(t.state, { run: "1.0", limit: name });

test.each(["limit_concurrency", "limit_singleton"] as const)("a run held as %s is sent at once", (reason) => {
  const t = held(heldBy(reason)).clock(second);
  expect(answer(t)).toBe("waits");
  expect(wake(t).run("mail")).toMatchObject({ status: "queued", attempt: 1, sentAt: T0 + second });
  expect(answer(t)).toBe("asks");
});

test("a run that also waits for its turn returns at its turn", () => {
  const t = wake(held().clock(second), T0 + 5 * second);
  expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + 5 * second });
  expect(t.tickAt(5 * second).run("mail")).toMatchObject({ status: "queued", attempt: 1 });
});

test("a wake-up never delays a run", () => {
  const t = held();
  const before = t.state;
  expect(wake(t, T0 + 2 * hour).state).toEqual(before);
});

test.each<[string, Drive]>([
  ["waits for its turn", held(heldBy("limit_throttle"))],
  ["waits for another limit", held(heldBy("limit_concurrency", [{ ...place, name: "calls" }]))],
  [
    "is held by a version without places",
    held({ ...failure(), held: { reason: "limit_concurrency", until: T0 + hour, connection: null } } as Outcome),
  ],
  ["is held by quiet hours", held(heldBy("quiet_hours"))],
  ["is held by an operator", held().verb({ kind: "hold", run: "1.0" })],
  ["was moved by an operator", held().verb({ kind: "reschedule", target: { run: "1.0" }, at: T0 + 3 * hour })],
  ["was canceled by an operator", held().verb({ kind: "cancelAction", target: { run: "1.0" } })],
  ["was canceled, because its state was left", held().event("leave")],
])("a run that %s is gone, and a wake-up changes nothing", (_name, t) => {
  expect(answer(t)).toBe("gone");
  const before = t.state;
  expect(wake(t).state).toEqual(before);
});

test("a run of a paused or ended execution is gone", () => {
  expect(answer(held().pause())).toBe("gone");
  expect(answer(held().cancel())).toBe("gone");
  expect(answerWake(null, { run: "1.0", limit: "mails" })).toBe("gone");
  expect(answerWake(held().state, { run: "9.9", limit: "mails" })).toBe("gone");
});

test("a wake-up of a running or unknown run changes nothing", () => {
  const t = started();
  expect(answer(t)).toBe("asks");
  const before = t.state;
  expect(wake(t).state).toEqual(before);
  expect(t.take({ kind: "wakeRun", run: "9.9", limit: "mails", at: T0 }).state).toEqual(before);
});
