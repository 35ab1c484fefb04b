// Tests many executions of a cell that are due at one instant, with their direct calls.
import { expect, it } from "vitest";
import { DIRECT_IN_FLIGHT_MAX } from "#schema/limits/run-attempts.ts";
import { DUE_SLOT_WAIT_MS_MAX } from "#schema/limits/due-work.ts";
import { GROUP_COMMIT_MS } from "#schema/limits/executions.ts";
import { action, machine, success } from "#test/support/drive.ts";
import { openBusyCell, type BusyCell } from "./busy-cell.ts";
import { begin } from "./cell.ts";

const MANY = 60;
const ids = Array.from({ length: MANY }, (_, n) => `exe_${n}_p1`);
const HOUR_MS = 3_600_000;
const alarmClock = machine({
  initial: "asleep",
  states: { asleep: { after: { [HOUR_MS]: "awake" } }, awake: { on: { "action.ring.ok": "over" } }, over: {} },
  actions: [action("ring", { triggerState: "awake" })],
});

const quietAfter = (ms: number) =>
  machine({ initial: "asleep", states: { asleep: { after: { [ms]: "over" } }, over: { type: "final" } } });

async function asleep(): Promise<BusyCell> {
  const cell = openBusyCell();
  await cell.take(...ids.map((id) => ({ ...begin(id, alarmClock), direct: true })));
  return cell;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("due executions use the free slots, and the others follow as calls complete, without the queue", async () => {
  const cell = await asleep();
  await cell.pass(HOUR_MS);
  const woken = cell.wake();
  await settled();
  expect(cell.flights).toHaveLength(DIRECT_IN_FLIGHT_MAX);
  for (let landed = 0; landed < MANY; landed++) {
    cell.flights[landed]?.land(success());
    await settled();
    await cell.pass(10);
  }
  await woken;
  expect([cell.flights.length, cell.messages]).toEqual([MANY, []]);
  expect(new Set(cell.flights.map(({ ticket }) => ticket.execution)).size).toBe(MANY);
});

it("without a completed call, waiting executions use the queue after a second", async () => {
  const cell = await asleep();
  await cell.pass(HOUR_MS);
  const woken = cell.wake();
  await settled();
  const untouched = ids.filter((id) => cell.read(id)?.timers.length === 1);
  expect([untouched.length, cell.messages]).toEqual([MANY - DIRECT_IN_FLIGHT_MAX, []]);
  for (const ms of [0, GROUP_COMMIT_MS, DUE_SLOT_WAIT_MS_MAX, 10, 10]) await cell.pass(ms);
  await woken;
  expect([cell.flights.length, cell.messages.length]).toEqual([DIRECT_IN_FLIGHT_MAX, MANY - DIRECT_IN_FLIGHT_MAX]);
});

it("the alarm is set once, behind all executions that wait for a slot", async () => {
  const cell = await asleep();
  await cell.pass(HOUR_MS);
  void cell.wake();
  await settled();
  const behind = cell.armedAt();
  cell.flights[0]?.land(success());
  await settled();
  await cell.pass(10);
  await cell.pass(10);
  expect(cell.flights.length).toBe(DIRECT_IN_FLIGHT_MAX + 1);
  expect(cell.armedAt()).toBe(behind);
});

it("an execution without actions does not wait for a slot", async () => {
  const cell = await asleep();
  const others = Array.from({ length: MANY }, (_, n) => `exe_still${n}_p1`);
  await cell.take(...others.map((id) => ({ ...begin(id, quietAfter(HOUR_MS)), direct: true })));
  await cell.pass(HOUR_MS);
  void cell.wake();
  await settled();
  for (const ms of [0, 1]) await cell.pass(ms);
  expect(cell.flights).toHaveLength(DIRECT_IN_FLIGHT_MAX);
  expect(others.map((id) => cell.read(id)?.status)).toEqual(others.map(() => "completed"));
});

it("an execution that ended in its tick is not read again", async () => {
  const cell = openBusyCell();
  await cell.take(...ids.map((id) => ({ ...begin(id, quietAfter(HOUR_MS)), direct: true })));
  await cell.pass(HOUR_MS);
  cell.cannotRead(true);
  const woken = cell.wake();
  await cell.pass(HOUR_MS);
  await woken;
  expect(cell.logged("tick_failed")).toEqual([]);
  cell.cannotRead(false);
  expect(ids.map((id) => cell.read(id)?.status)).toEqual(ids.map(() => "completed"));
});

it("an execution that becomes due does not wait for those that wait for a slot", async () => {
  const cell = await asleep();
  await cell.take({ ...begin("exe_late_p1", quietAfter(HOUR_MS + 100)), direct: true });
  await cell.pass(HOUR_MS);
  void cell.wake();
  await settled();
  for (const ms of [0, GROUP_COMMIT_MS, 100, GROUP_COMMIT_MS]) await cell.pass(ms);
  expect([cell.read("exe_late_p1")?.status, cell.messages.length]).toEqual(["completed", 0]);
  // The wait of these executions has not been extended.
  await cell.pass(DUE_SLOT_WAIT_MS_MAX - 200);
  expect(cell.messages.length).toBe(0);
  for (const ms of [100, 10, 10]) await cell.pass(ms);
  expect(cell.messages.length).toBe(MANY - DIRECT_IN_FLIGHT_MAX);
});

it("an execution that is due soon runs while others wait for a slot", async () => {
  const cell = await asleep();
  await cell.pass(HOUR_MS);
  void cell.wake();
  await settled();
  await cell.pass(GROUP_COMMIT_MS);
  const taken = cell.take({ ...begin("exe_new_p1", quietAfter(50)), direct: true });
  await cell.pass(GROUP_COMMIT_MS);
  await taken;
  await cell.pass(60);
  void cell.wake();
  await cell.pass(GROUP_COMMIT_MS);
  expect([cell.read("exe_new_p1")?.status, cell.messages.length]).toEqual(["completed", 0]);
});

it("after a restart, waiting executions are due again and have sent nothing", async () => {
  const cell = await asleep();
  await cell.pass(HOUR_MS);
  void cell.wake();
  await settled();
  const inLine = new Set(ids.filter((id) => cell.read(id)?.timers.length === 1));
  cell.restart();
  void cell.wake();
  await settled();
  const next = cell.flights.slice(DIRECT_IN_FLIGHT_MAX).map(({ ticket }) => ticket);
  expect(next).toHaveLength(DIRECT_IN_FLIGHT_MAX);
  expect(next.every(({ execution }) => inLine.has(execution))).toBe(true);
  expect(next.every(({ possiblyRepeated }) => !possiblyRepeated)).toBe(true);
});
