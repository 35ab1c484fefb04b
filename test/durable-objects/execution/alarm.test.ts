// What the cell's alarm is armed for, and how far ahead.
import { expect, test } from "vitest";
import { openAlarm } from "#objects/execution/alarm.ts";
import { ALARM_HOP_MS_MAX } from "#schema/limits/objects.ts";

const day = 86_400_000;

function opened(earliest: number | null) {
  const armed: number[] = [];
  const clock = { now: 1_000 };
  const heads = { wake: earliest };
  const ports = { now: () => clock.now, suspendedAt: () => null, setAlarm: (at: number) => void armed.push(at) };
  const pending = { areLeft: () => false };
  const alarm = openAlarm(ports as never, { earliest: () => heads.wake } as never, pending as never);
  return { alarm, armed, clock, heads };
}

test("what is due within a hop is armed for its instant", () => {
  const { alarm, armed } = opened(30 * day);
  alarm.arm(false);
  expect(armed).toEqual([30 * day]);
});

test("the year 2500 is gone to in hops, and each hop arms the next", () => {
  const { alarm, armed, clock } = opened(Date.UTC(2500, 0, 1));
  alarm.arm(false);
  expect(armed).toEqual([1_000 + ALARM_HOP_MS_MAX]);
  clock.now = Number(armed[0]);
  alarm.noteArmed(null);
  alarm.arm(false);
  expect(armed.at(-1)).toBe(1_000 + 2 * ALARM_HOP_MS_MAX);
});

test("on its way to something far it is not moved with every turn", () => {
  const { alarm, armed, clock } = opened(Date.UTC(2500, 0, 1));
  alarm.arm(false);
  clock.now += 5 * day;
  alarm.arm(false);
  alarm.armExactly();
  expect(armed).toHaveLength(1);
});

test("an alarm that is near and needed no more is moved to the next stop once", () => {
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
