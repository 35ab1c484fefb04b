// Tests for which instant the cell's alarm is set, and how far ahead.
import { expect, test } from "vitest";
import { wakeOfArmed, openAlarm, armedInstantFor } from "#objects/execution/alarm.ts";
import {
  ALARM_AHEAD_MS,
  ALARM_EARLY_MS_MAX,
  ALARM_HOP_MS_MAX,
  FALLBACK_ALARM_LATER_MS,
} from "#schema/limits/alarms.ts";

const day = 86_400_000;

function opened(earliest: number | null) {
  const armed: number[] = [];
  const clock = { now: 1_000 };
  const heads = { wake: earliest };
  const timers: { readonly ms: number; readonly work: () => void }[] = [];
  let met = 0;
  const underWay = { yes: false };
  const ports = {
    now: () => clock.now,
    suspendedAt: () => null,
    setAlarm: (at: number) => void armed.push(at),
    runWhenDue: (ms: number, work: () => void) => void timers.push({ ms, work }),
  };
  const pending = { hasUnsent: () => false };
  const alarm = openAlarm(ports as never, { earliest: () => heads.wake } as never, pending as never, {
    onTimer: () => (met += 1),
    isRunning: () => underWay.yes,
  });
  return { alarm, armed, clock, heads, timers, met: () => met, underWay };
}

test("a wake within one hop sets the alarm to its instant", () => {
  const { alarm, armed } = opened(30 * day);
  alarm.arm(false);
  expect(armed).toEqual([30 * day]);
});

test("a wake in the year 2500 is reached in hops, and each hop sets the next", () => {
  const { alarm, armed, clock } = opened(Date.UTC(2500, 0, 1));
  alarm.arm(false);
  expect(armed).toEqual([1_000 + ALARM_HOP_MS_MAX]);
  clock.now = Number(armed[0]);
  alarm.noteArmed(null);
  alarm.arm(false);
  expect(armed.at(-1)).toBe(1_000 + 2 * ALARM_HOP_MS_MAX);
});

test("on the way to a distant wake, the alarm does not move with each turn", () => {
  const { alarm, armed, clock } = opened(Date.UTC(2500, 0, 1));
  alarm.arm(false);
  clock.now += 5 * day;
  alarm.arm(false);
  alarm.armExactly();
  expect(armed).toHaveLength(1);
});

test("an early alarm that is not needed any more moves to the next hop once", () => {
  const { alarm, armed, heads } = opened(5_000);
  alarm.arm(false);
  heads.wake = Date.UTC(2500, 0, 1);
  alarm.armExactly();
  alarm.armExactly();
  expect(armed).toEqual([5_000, 1_000 + ALARM_HOP_MS_MAX]);
  heads.wake = null;
  alarm.armExactly();
  expect(armed).toHaveLength(2);
});

test("a wake within seconds gets a timer, and a fallback alarm a little later", () => {
  const { alarm, armed, timers, met } = opened(1_500);
  alarm.arm(false);
  expect([armed, timers.map(({ ms }) => ms)]).toEqual([[1_500 + FALLBACK_ALARM_LATER_MS], [500]]);
  expect(met()).toBe(0);
  timers[0]?.work();
  expect(met()).toBe(1);
});

test("a slightly earlier wake gets its own timer, and the alarm does not move", () => {
  const { alarm, armed, heads, timers, met } = opened(1_500);
  alarm.arm(false);
  heads.wake = 1_100;
  alarm.arm(false);
  alarm.arm(false);
  expect([armed.length, timers.map(({ ms }) => ms)]).toEqual([1, [500, 100]]);
  // The later timer does nothing: the earlier one has replaced it.
  timers[0]?.work();
  expect(met()).toBe(0);
  timers[1]?.work();
  expect(met()).toBe(1);
});

test("an alarm far behind a near wake moves", () => {
  const { alarm, armed, heads } = opened(30 * day);
  alarm.arm(false);
  heads.wake = 1_400;
  alarm.arm(false);
  expect(armed).toEqual([30 * day, 1_400 + FALLBACK_ALARM_LATER_MS]);
});

test("a wake for which the alarm is set already gets no timer", () => {
  const { alarm, armed, clock, timers } = opened(10_000);
  alarm.arm(false);
  clock.now = 9_500;
  alarm.arm(false);
  expect([armed, timers]).toEqual([[10_000], []]);
});

test("overdue work sets the alarm at once, and to the fallback while it runs", () => {
  const { alarm, armed, underWay } = opened(900);
  underWay.yes = true;
  alarm.arm(false);
  underWay.yes = false;
  alarm.arm(false);
  expect(armed).toEqual([1_000 + FALLBACK_ALARM_LATER_MS, 1_001]);
});

test("overdue work with a late timer waits for it, and sets the alarm at once if it is lost", () => {
  const { alarm, armed, clock, heads, timers } = opened(1_500);
  alarm.arm(false);
  clock.now = 1_540;
  alarm.arm(false);
  expect([armed, timers.length]).toEqual([[1_500 + FALLBACK_ALARM_LATER_MS], 1]);
  heads.wake = 1_400;
  alarm.arm(false);
  expect(armed.at(-1)).toBe(1_541);
  heads.wake = 1_500;
  alarm.noteArmed(1_500 + FALLBACK_ALARM_LATER_MS);
  timers[0]?.work();
  alarm.arm(false);
  expect(armed.at(-1)).toBe(1_541);
  expect(armed).toHaveLength(3);
});

test("a near wake gets a timer if the alarm is late", () => {
  const { alarm, armed, clock, heads, timers } = opened(1_500);
  alarm.arm(false);
  clock.now = Number(armed[0]) + 1;
  heads.wake = clock.now + 100;
  timers[0]?.work();
  alarm.arm(false);
  expect([armed.length, timers.map(({ ms }) => ms)]).toEqual([1, [500, 100]]);
});

test("the platform's alarm is a little before the wake, and never in the past", () => {
  expect(armedInstantFor(day, 1_000)).toBe(day - ALARM_AHEAD_MS);
  expect([armedInstantFor(1_000 + ALARM_AHEAD_MS, 1_000), armedInstantFor(1_001, 1_000)]).toEqual([1_001, 1_001]);
  expect([wakeOfArmed(day - ALARM_AHEAD_MS), wakeOfArmed(null)]).toEqual([day, null]);
});

test("an early alarm waits in memory for its lead time, and a clock difference more", () => {
  expect(ALARM_EARLY_MS_MAX).toBeGreaterThan(ALARM_AHEAD_MS);
});
