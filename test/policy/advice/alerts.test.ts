// Tests which rows raise an alert, its severity, which channels receive it, and how failures are grouped.
import { describe, expect, test } from "vitest";
import { alertGroups, failuresToReport, receivesFailure, isSentByDefault } from "#policy/advice/alerts.ts";
import { isCritical } from "#kernel/execution/run-endings.ts";
import type { Failure } from "#schema/alert.ts";
import { ALERT_FRESH_MS } from "#schema/limits/upkeep/alert-throttle.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";

const NOW = Date.UTC(2026, 10, 18, 12);
const HOUR = 60 * 60_000;

const execution = (over: Partial<ExecutionRow>): ExecutionRow => ({
  tenant: "acme",
  id: "exe_1",
  createdAt: NOW - HOUR,
  seq: 3,
  namespace: "default",
  definitionId: "def_1",
  definitionName: "order",
  definitionVersion: 1,
  placement: "own",
  status: "active",
  states: ["a"],
  correlationId: "o-1",
  updatedAt: NOW,
  finishedAt: null,
  wakeAt: null,
  reason: null,
  error: null,
  ...over,
});
const failed = (over: Partial<ExecutionRow> = {}) =>
  execution({ status: "failed", finishedAt: NOW - 1, error: "stuck: nothing can move it", ...over });
const paused = (over: Partial<ExecutionRow> = {}) =>
  execution({ status: "paused", reason: "action_failed", pausedAt: NOW - 5, error: "timeout: too late", ...over });

const run = (over: Partial<RunRow>): RunRow => ({
  tenant: "acme",
  execution: "exe_1",
  id: "2.0",
  seq: 3,
  action: "charge",
  type: "webhook",
  status: "failed",
  attempt: 5,
  priority: 50,
  createdAt: NOW - HOUR,
  dueAt: null,
  finishedAt: NOW - 2,
  errorType: "timeout",
  error: "no answer",
  reason: null,
  deadLetter: true,
  costEstimate: null,
  namespace: "default",
  definition: "order",
  correlationId: "o-1",
  errorCode: "slow",
  incarnation: NOW - HOUR,
  handled: false,
  ...over,
});

const told = (executions: readonly ExecutionRow[], runs: readonly RunRow[]) =>
  failuresToReport(executions, runs, NOW).map(({ severity, code, failedAt }) => [severity, code, NOW - failedAt]);

describe("isCritical is true for chain transactions and high priorities", () => {
  test.each([
    ["webhook", 90, false],
    ["webhook", 91, true],
    ["blockchain_mint", 0, true],
  ])("%s at priority %s: %s", (type, priority, is) => expect(isCritical({ type, priority })).toBe(is));
});

test("the failure of a journey's execution names the journey; other failures do not", () => {
  const [journey, other] = failuresToReport([failed({ journey: { client: "Ada" } }), failed({ id: "exe_2" })], [], NOW);
  expect(journey).toMatchObject({ journey: { client: "Ada" } });
  expect(other).not.toHaveProperty("journey");
});

describe("failuresToReport", () => {
  test.each<[string, ExecutionRow[], RunRow[], unknown[]]>([
    ["a dead letter", [], [run({})], [["warning", "action_failed", 2]]],
    ["a dead letter of a journey", [], [run({ journey: true })], [["high", "action_failed", 2]]],
    ["a handled one of a journey", [], [run({ journey: true, handled: true })], [["warning", "action_failed", 2]]],
    ["an urgent one of a journey", [], [run({ journey: true, priority: 91 })], [["critical", "action_failed", 2]]],
    ["an urgent dead letter", [], [run({ priority: 91 })], [["critical", "action_failed", 2]]],
    ["a dead letter of a blockchain mint", [], [run({ type: "blockchain_mint" })], [["critical", "action_failed", 2]]],
    ["a dead letter that was archived or retried", [], [run({ deadLetter: false })], []],
    ["a run without an end", [], [run({ finishedAt: null })], []],
    ["a failure of yesterday", [], [run({ finishedAt: NOW - ALERT_FRESH_MS })], []],
    [
      "a failure within the fresh time",
      [],
      [run({ finishedAt: NOW - ALERT_FRESH_MS + 1 })],
      [["warning", "action_failed", ALERT_FRESH_MS - 1]],
    ],
    ["the dead letter of an alert", [], [run({ definition: "$alert", priority: 100 })], []],
    ["a dead letter of a standalone action", [], [run({ definition: "$action" })], [["warning", "action_failed", 2]]],
    ["an execution that continues", [execution({})], [], []],
    ["a completed execution", [execution({ status: "completed", finishedAt: NOW })], [], []],
    ["a canceled execution", [execution({ status: "canceled", finishedAt: NOW })], [], []],
    ["a failed execution", [failed()], [], [["high", "execution_failed", 1]]],
    [
      "an execution that ended with failure",
      [failed({ error: "machine_failed: it ended in lost" })],
      [],
      [["high", "execution_failed", 1]],
    ],
    ["an execution that failed yesterday", [failed({ finishedAt: NOW - ALERT_FRESH_MS })], [], []],
    ["a failed alert", [failed({ definitionName: "$alert" })], [], []],
    [
      "an action that became a dead letter",
      [failed({ definitionName: "$action", error: "machine_failed: it ended in given_up" })],
      [],
      [],
    ],
    ["an action whose machine failed", [failed({ definitionName: "$action" })], [], [["high", "execution_failed", 1]]],
    [
      "an action whose machine failed without an error",
      [failed({ definitionName: "$action", error: null })],
      [],
      [["high", "execution_failed", 1]],
    ],
    ["an execution that paused itself", [paused()], [], [["high", "execution_paused", 5]]],
    [
      "an error reported by older code",
      [paused({ pausedAt: null, updatedAt: NOW - 7 })],
      [],
      [["high", "execution_paused", 7]],
    ],
    ["a compensation that is stuck", [paused({ reason: "compensation_stuck" })], [], [["high", "execution_paused", 5]]],
    ["an execution that an operator paused", [paused({ reason: "holiday" })], [], []],
    [
      "the failure that stopped its execution is reported as the execution's",
      [failed()],
      [run({})],
      [["high", "execution_failed", 1]],
    ],
    [
      "a critical failure is reported, too",
      [paused()],
      [run({ priority: 99 })],
      [
        ["high", "execution_paused", 5],
        ["critical", "action_failed", 2],
      ],
    ],
    [
      "another execution's",
      [failed({ id: "exe_2" })],
      [run({})],
      [
        ["high", "execution_failed", 1],
        ["warning", "action_failed", 2],
      ],
    ],
  ])("%s", (_name, executions, runs, alerts) => expect(told(executions, runs)).toEqual(alerts));

  test("describes a dead letter with action, time, attempts and error", () => {
    expect(failuresToReport([], [run({})], NOW)).toEqual([
      {
        severity: "warning",
        code: "action_failed",
        tenant: "acme",
        namespace: "default",
        definition: "order",
        execution: "exe_1",
        correlationId: "o-1",
        action: "charge",
        run: "2.0",
        attempts: 5,
        failedAt: NOW - 2,
        errorType: "timeout",
        errorCode: "slow",
        error: "no answer",
      },
    ]);
  });

  test.each([
    ["stuck: nothing: at all\nmoves it", "stuck", "nothing: at all\nmoves it"],
    ["Something else", null, "Something else"],
    [null, null, null],
  ])("splits the execution error %j into type and message", (error, errorType, message) => {
    expect(failuresToReport([failed({ error })], [], NOW)).toMatchObject([
      { errorType, error: message, action: null, run: null, attempts: null },
    ]);
  });
});

test("the failure of an execution has its states and its last failed run", () => {
  const lastFailure = {
    run: "2.0",
    action: "charge",
    state: "charging",
    attempts: 5,
    errorType: "timeout",
    errorCode: null,
    error: "no answer",
  };
  expect(failuresToReport([failed({ lastFailure })], [], NOW)).toMatchObject([{ states: ["a"], lastFailure }]);
  expect(failuresToReport([failed()], [], NOW)).toMatchObject([{ lastFailure: null }]);
});

describe("receivesFailure", () => {
  const [failure] = failuresToReport([], [run({ namespace: "shop" })], NOW) as [Failure];
  test.each([
    [{ severities: ["warning"] as const }, true],
    [{ severities: ["critical", "high"] as const }, false],
    [{ severities: ["warning"] as const, namespaces: ["shop", "x"] }, true],
    [{ severities: ["warning"] as const, namespaces: ["x"] }, false],
    [{ severities: ["warning"] as const, definitions: ["order"] }, true],
    [{ severities: ["warning"] as const, namespaces: ["shop"], definitions: ["$action"] }, false],
  ])("%j: %s", (channel, is) => expect(receivesFailure(channel, failure)).toBe(is));

  const [critical] = failuresToReport([], [run({ priority: 99 })], NOW) as [Failure];
  test.each([
    [["high"] as const, true],
    [["warning"] as const, false],
  ])("a critical failure reaches a channel that follows %j: %s", (severities, is) =>
    expect(receivesFailure({ severities }, critical)).toBe(is),
  );
});

describe("a failure that the machine handled", () => {
  const told = (over: Partial<RunRow> = {}) =>
    failuresToReport([], [run({ handled: true, ...over })], NOW)[0] as Failure;
  const all = { severities: ["critical", "high", "warning"] as const };

  test("is sent only to channels that request it", () => {
    expect(told()).toMatchObject({ severity: "warning", handled: true });
    expect([receivesFailure(all, told()), receivesFailure({ ...all, handled: false }, told())]).toEqual([false, false]);
    expect(receivesFailure({ ...all, handled: true }, told())).toBe(true);
    expect(isSentByDefault(told())).toBe(false);
  });

  test("is sent to every channel if it is critical", () => {
    const critical = told({ priority: 95 });
    expect([receivesFailure(all, critical), isSentByDefault(critical)]).toEqual([true, true]);
  });

  test("a failure that waits for an operator is sent to every channel", () => {
    const [waiting] = failuresToReport([], [run({})], NOW);
    expect(waiting).not.toHaveProperty("handled");
    expect([receivesFailure(all, waiting as Failure), isSentByDefault(waiting as Failure)]).toEqual([true, true]);
  });
});

describe("alertGroups", () => {
  const MINUTE = 60_000;
  const at = (minute: number, over: Partial<RunRow> = {}): Failure =>
    failuresToReport(
      [],
      [run({ finishedAt: NOW + minute * MINUTE, execution: `exe_${minute}`, ...over })],
      NOW,
    )[0] as Failure;
  const shape = (failures: readonly Failure[], throttleMs: number) =>
    alertGroups(failures, throttleMs).map((group) => [
      group.failures.map(({ execution: id }) => id),
      group.silentUntil === null ? null : (group.silentUntil - NOW) / MINUTE,
    ]);

  test("groups similar failures of one interval, the oldest first", () => {
    expect(shape([at(4), at(0), at(2)], 5 * MINUTE)).toEqual([[["exe_0", "exe_2", "exe_4"], 5]]);
  });

  test("starts the next interval at a fixed instant for every isolate", () => {
    expect(shape([at(4), at(5), at(9), at(10)], 5 * MINUTE)).toEqual([
      [["exe_4"], 5],
      [["exe_5", "exe_9"], 10],
      [["exe_10"], 15],
    ]);
  });

  test.each<[string, Partial<RunRow>]>([
    ["another action", { action: "ship" }],
    ["another definition", { definition: "return" }],
    ["another severity", { priority: 95 }],
  ])("%s is another alert", (_name, over) => expect(alertGroups([at(0), at(1, over)], 5 * MINUTE)).toHaveLength(2));

  test("puts each failure in its own group without a throttle, even at the same instant", () => {
    const both = [at(0), at(0, { execution: "exe_x" }), at(0, { id: "3.0" })];
    expect(shape(both, 0)).toEqual([
      [["exe_0"], null],
      [["exe_x"], null],
      [["exe_0"], null],
    ]);
  });

  test("derives identity and bucket from the failure only", () => {
    const [one] = alertGroups([at(0)], 5 * MINUTE);
    const [other] = alertGroups([at(3), at(1)], 5 * MINUTE);
    expect([other?.identity, other?.bucket]).toEqual([one?.identity, one?.bucket]);
    expect(one?.bucket).toBe(Math.floor(NOW / (5 * MINUTE)));
  });
});
