// Wakes of runs at a cell: the alarm applies them, and a run whose request is being settled is checked again.
import { expect, it } from "vitest";
import { LIMIT_WAKE_RECHECK } from "#schema/limits/limits-by-key.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { action, failure, hour, machine, T0 } from "#test/support/drive.ts";
import { begin, openTestCell } from "./cell.ts";

const mailing = machine({
  states: { a: { on: { "action.mail.ok": "b" } }, b: {} },
  actions: [
    action("mail", { triggerState: "a", lane: "queue", limit: [{ name: "mails", key: "ada", concurrency: 1 }] }),
  ],
});
const id = "exe_1_p1";
const wakeUp = { execution: id, run: "1.0", limit: "mails", at: T0 };
const attempt = { execution: id, run: "1.0", attempt: 1 };
const places = [{ name: "mails", since: T0, stage: "line", ahead: 0 }] as const;
const held = { ...failure(), held: { reason: "limit_concurrency", until: T0 + hour, connection: null, places } };

function open(more: object = {}) {
  const timers: { readonly ms: number; readonly work: () => void }[] = [];
  const isRecheck = (ms: number): boolean => ms >= LIMIT_WAKE_RECHECK.firstMs;
  const cell = openTestCell({
    runAfter: (ms, work) => void (isRecheck(ms) ? timers.push({ ms, work }) : work()),
    ...more,
  });
  const settle = () => cell.calls().settleMany([{ ...attempt, outcome: held as Outcome }]);
  const status = async () => {
    const read = await cell.calls().read(id);
    return read.ok ? read.value.runs[0]?.status : null;
  };
  return { ...cell, timers, settle, status };
}
async function claimed(more: object = {}) {
  const cell = open(more);
  await cell.take(begin(id, mailing));
  await cell.calls().claimMany([attempt]);
  return cell;
}

it("the alarm sends a woken run, and the call only sets the alarm", async () => {
  const cell = await claimed();
  await cell.settle();
  expect(await cell.calls().wakeRuns([wakeUp])).toEqual(["waits"]);
  expect([await cell.status(), cell.armedAt()]).toEqual(["scheduled", T0 + 1]);
  await cell.calls().alarm();
  expect([await cell.status(), cell.timers]).toEqual(["queued", []]);
});

it("a run whose request is being settled is woken after its settlement", async () => {
  const cell = await claimed();
  expect(await cell.calls().wakeRuns([wakeUp])).toEqual(["asks"]);
  await cell.settle();
  expect(cell.timers.map(({ ms }) => ms)).toEqual([LIMIT_WAKE_RECHECK.firstMs]);
  cell.timers.shift()?.work();
  await cell.calls().alarm();
  expect(await cell.status()).toBe("queued");
});

it("the checks of a run that is in progress end", async () => {
  const cell = await claimed();
  await cell.calls().wakeRuns([wakeUp]);
  const gaps: number[] = [];
  for (let timer = cell.timers.shift(); timer !== undefined; timer = cell.timers.shift()) {
    gaps.push(timer.ms);
    timer.work();
  }
  expect(gaps).toEqual([10, 20, 40, 80, 160, 320]);
  expect(await cell.status()).toBe("running");
});

it("a run that is gone sets no alarm, and an alarm that cannot be set is logged", async () => {
  const cell = await claimed();
  await cell.settle();
  const others = [
    { ...wakeUp, execution: "exe_2_p1" },
    { ...wakeUp, limit: "calls" },
  ];
  expect(await cell.calls().wakeRuns(others)).toEqual(["gone", "gone"]);
  expect(await cell.calls().wakeRuns([])).toEqual([]);
  expect(cell.armedAt()).toBeGreaterThan(T0 + 1);
  cell.alarmFails(true);
  expect(await cell.calls().wakeRuns([wakeUp])).toEqual(["waits"]);
  expect(cell.lines).toMatchObject([{ event: "run_wake_failed" }]);
});

it("a cell that does not store the execution any more wakes nothing", async () => {
  const cell = await claimed();
  await cell.settle();
  await cell.calls().wakeRuns([wakeUp]);
  cell.restart();
  await cell.calls().alarm();
  expect(await cell.status()).toBe("scheduled");
});
