// Tests a cell whose tenant is suspended: when it queries, and which work it does.
import { describe, expect, test } from "vitest";
import { openActiveTenants, openSuspension, type ActiveTenants } from "#objects/execution/tenancy/suspension.ts";
import { machineDefinition } from "#schema/definition/definition.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { action, failure, hour, minute, second, T0 } from "#test/support/drive.ts";
import { begin, openTestCell, start } from "../cell.ts";

const waits = machineDefinition.parse({
  kind: "machine",
  name: "waits",
  initial: "open",
  states: { open: { after: { PT1H: "late" } }, late: { type: "final" } },
});
const suspended: Outcome = {
  ok: false,
  error: { type: "rate_limit", message: "not tried", retryable: true },
  held: { reason: "suspended", until: T0 + second, connection: null },
  startedAt: T0,
  endedAt: T0,
};

test("the due work of a suspended tenant stays due, and is rechecked after a quarter of the time", async () => {
  const cell = openTestCell();
  await cell.take(begin("exe_1_p0", waits));
  cell.suspended(hour);
  for (const [at, next] of [
    [hour, hour + minute],
    [hour + 8 * minute, hour + 10 * minute],
    [24 * hour, 25 * hour],
  ] as const) {
    cell.at(at);
    await cell.calls().alarm();
    expect([cell.read("exe_1_p0")?.status, cell.armedAt()]).toEqual(["waiting", T0 + next]);
  }
  cell.suspended(null);
  cell.at(25 * hour);
  await cell.calls().alarm();
  expect(cell.read("exe_1_p0")?.status).toBe("completed");
});

describe("a deferred projection is sent", () => {
  const retryPolicy = { maxAttempts: 9, backoffStrategy: "fixed", baseDelay: 100, jitter: "none" } as const;
  const of = { execution: "exe_1_p0", definition: null, direct: false } as const;

  async function failing() {
    const cell = openTestCell();
    await cell.take(
      start(of.execution, "begin", { action: action("call", { lane: "queue", retryPolicy }), dedup: null }),
    );
    await cell.take({ ...of, command: { kind: "claim", run: "1.0", attempt: 1, lane: "queue" } });
    const fails = () => cell.take({ ...of, command: { kind: "settle", run: "1.0", attempt: 1, outcome: failure() } });
    const told = () => cell.projections.flatMap(({ executions }) => executions.map(({ status }) => status));
    return { cell, fails, told };
  }

  test("when the tenant is suspended before the retry", async () => {
    const { cell, fails, told } = await failing();
    await fails();
    expect([cell.read(of.execution)?.status, told()]).toEqual(["waiting", []]);
    cell.suspended(50);
    cell.at(100);
    await cell.calls().alarm();
    expect(told()).toEqual(["waiting"]);
    cell.at(hour);
    await cell.calls().alarm();
    expect([told(), cell.read(of.execution)?.runs[0]?.status]).toEqual([["waiting"], "retry"]);
  });

  test("when the run is held for suspension", async () => {
    const { cell, fails, told } = await failing();
    cell.suspended(50);
    await fails();
    expect(told()).toEqual(["waiting"]);
  });
});

function knowing(
  answers: readonly (number | null | Error)[],
  activeTenants: ActiveTenants = openActiveTenants(),
  tenant = "acme",
) {
  let now = T0;
  const asked = [...answers];
  const lines: object[] = [];
  let resumed = 0;
  const suspension = openSuspension({
    now: () => now,
    log: (line) => void lines.push(line),
    tenant,
    activeTenants,
    query: async () => {
      const answer = asked.shift() ?? null;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    resumed: () => void (resumed += 1),
  });
  return { suspension, lines, asked, at: (ms: number) => void (now = T0 + ms), resumed: () => resumed };
}

test("a cell queries at most once in five seconds, and reports when the tenant is resumed", async () => {
  const { suspension, asked, at, resumed } = knowing([T0, null]);
  await suspension.refresh();
  await suspension.refresh();
  expect([suspension.suspendedAt(), asked.length]).toEqual([T0, 1]);
  at(5 * second);
  await suspension.refresh();
  expect([suspension.suspendedAt(), resumed()]).toEqual([null, 1]);
});

test("an active tenant is only queried before an alarm", async () => {
  const { suspension, asked } = knowing([T0]);
  await suspension.refreshIfSuspended();
  expect([suspension.suspendedAt(), asked.length]).toEqual([null, 1]);
});

test("a run that is held for suspension suspends the cell, which then queries", async () => {
  const { suspension, at } = knowing([null]);
  suspension.noteOutcome({ ...suspended, held: { reason: "quota", until: T0, connection: null } });
  expect(suspension.suspendedAt()).toBe(null);
  suspension.noteOutcome(suspended);
  expect(suspension.suspendedAt()).toBe(T0);
  at(5 * second);
  await suspension.refreshIfSuspended();
  expect(suspension.suspendedAt()).toBe(null);
});

test("without an answer, the last answer stays", async () => {
  const { suspension, at, lines } = knowing([T0, new Error("away")]);
  await suspension.refresh();
  at(minute);
  await suspension.refresh();
  expect([suspension.suspendedAt(), lines.length]).toEqual([T0, 1]);
});

test('cells of an isolate share the answer "active" for a second', async () => {
  const activeTenants = openActiveTenants();
  const [one, other, late] = [
    knowing([null], activeTenants),
    knowing([null], activeTenants),
    knowing([null], activeTenants),
  ];
  const stranger = knowing([null], activeTenants, "other");
  await one.suspension.refresh();
  other.at(second - 1);
  late.at(second);
  for (const { suspension } of [other, late, stranger]) await suspension.refresh();
  expect([other, late, stranger].map(({ asked }) => asked.length)).toEqual([1, 0, 0]);
});

test("a shared answer is valid as long as a cell's own one", async () => {
  const activeTenants = openActiveTenants();
  const [one, other] = [knowing([null], activeTenants), knowing([T0], activeTenants)];
  await one.suspension.refresh();
  for (const [at, suspendedAt] of [
    [0, null],
    [5 * second - 1, null],
    [5 * second, T0],
  ] as const) {
    other.at(at);
    await other.suspension.refresh();
    expect(other.suspension.suspendedAt()).toBe(suspendedAt);
  }
});

test("each cell queries a suspended tenant on its own", async () => {
  const activeTenants = openActiveTenants();
  const [before, one, other] = [
    knowing([null], activeTenants),
    knowing([T0 + 2], activeTenants),
    knowing([T0 + 2], activeTenants),
  ];
  await before.suspension.refresh();
  one.suspension.noteOutcome(suspended);
  await other.suspension.refresh();
  expect([one.suspension.suspendedAt(), other.suspension.suspendedAt(), other.asked.length]).toEqual([T0, T0 + 2, 0]);
});

test('a suspended cell queries again, even if another cell was answered "active"', async () => {
  const activeTenants = openActiveTenants();
  const [one, other] = [knowing([T0, null], activeTenants), knowing([null], activeTenants)];
  await one.suspension.refresh();
  await other.suspension.refresh();
  one.at(5 * second);
  await one.suspension.refresh();
  expect([one.suspension.suspendedAt(), one.resumed()]).toEqual([null, 1]);
});
