// Log lines of attempts, at the configured level.
import { expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { parseAttemptLog, logAttempt, type AttemptLog } from "#services/actions/attempt-log.ts";

const ticket: Ticket = {
  tenant: "acme",
  execution: "exe_1",
  run: "1.0",
  attempt: 2,
  action: "mail",
  type: "email",
  config: {},
  idempotencyKey: "exe_1/1.0",
  timeoutMs: 1_000,
  deadlineAt: 2_000,
  incarnation: 0,
  trigger: "trg_1",
};
const span = { startedAt: 0, endedAt: 1 };
const done: Outcome = { ok: true, result: {}, events: [], ...span };
const error = { type: "network_error", message: "for ada@example.com: refused", retryable: true, code: "refused" };
const failed: Outcome = { ok: false, error, ...span };
const held: Outcome = { ...failed, held: { reason: "quota", until: 9, connection: null } };

async function lines(level: AttemptLog, outcome: Outcome, given = ticket) {
  const said: object[] = [];
  let now = 1_000;
  const deps = { now: () => (now += 457) - 457, log: (line: object) => void said.push(line) };
  expect(await logAttempt(deps, level, given, async () => outcome)).toBe(outcome);
  return said;
}

test("logs each attempt before and after it, with the field names of reaction workers", async () => {
  const what = { level: "info", tenant: "acme", id: "exe_1", run: "1.0", attempt: 2 };
  const more = { actionInstance: "trg_1", action: "mail", type: "email" };
  expect(await lines("info", done)).toEqual([
    { ...what, event: "action.processing", message: "Processing execution", ...more },
    { ...what, event: "action.completed", message: "Completed execution", status: "OK", duration: 457 },
  ]);
});

test("omits the action instance of an execution that no trigger started", async () => {
  const { trigger: _trigger, ...alone } = ticket;
  expect((await lines("debug", done, alone))[0]).toMatchObject({ level: "debug", actionInstance: null });
});

test.each([
  ["FAILED", failed],
  ["HELD", held],
])("%s is logged with the error's type and code, and without its message", async (status, outcome) => {
  const [, last] = await lines("info", outcome);
  expect(last).toMatchObject({ status, errorType: "network_error", errorCode: "refused" });
  expect(JSON.stringify(last)).not.toContain("ada");
});

test("logs nothing at the level off", async () => {
  expect(await lines("off", done)).toEqual([]);
});

test.each([
  [undefined, "off"],
  ["", "off"],
  ["INFO", "off"],
  ["debug", "debug"],
  ["info", "info"],
])("LOG_ACTIONS %j is %s", (said, level) => {
  expect(parseAttemptLog(said)).toBe(level);
});
