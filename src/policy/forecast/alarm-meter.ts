// What an execution's alarm costs, by its habits (durable-objects/execution/alarm.ts): setting it is a row, and its going off a
// request. It is moved earlier, and later only where its execution is alone in its cell and the lists have been told. What is
// near is met from memory, and the alarm behind it rings for nothing, or not at all.
import { nextWake } from "#kernel/execution/clock.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import {
  ALARM_HOP_MS_MAX,
  NEAR_ALARM_LATER_MS,
  NEAR_ALARM_LATER_MS_MAX,
  NEAR_MS_MAX,
  PROJECT_WITHIN_MS,
} from "#schema/limits/objects.ts";

export function openAlarmMeter() {
  let [rows, rings] = [0, 0];
  let armedAt: number | null = null;
  const set = (at: number): void => {
    armedAt = at;
    rows += 1;
  };
  const wakeOf = (state: ExecutionState, now: number): number | null => {
    const wake = nextWake(state, now);
    return wake === null ? null : Math.min(wake, now + ALARM_HOP_MS_MAX);
  };
  const arm = (state: ExecutionState, now: number, isTold: boolean): void => {
    const wake = wakeOf(state, now) ?? Infinity;
    const isNear = wake > now && wake <= now + NEAR_MS_MAX;
    const told = isTold ? now + PROJECT_WITHIN_MS : Infinity;
    const at = Math.min(wake + (isNear ? NEAR_ALARM_LATER_MS : 0), told);
    const latest = Math.min(wake + (isNear ? NEAR_ALARM_LATER_MS_MAX : 0), told);
    if (at !== Infinity && (armedAt === null || armedAt > latest)) set(Math.max(at, now + 1));
  };
  return {
    arm,
    armExactly: (state: ExecutionState, now: number): void => {
      const at = wakeOf(state, now);
      // Where anything is to be woken for, an alarm has just been armed.
      const armed = Number(armedAt);
      if (at !== null && armed < at && armed < now + ALARM_HOP_MS_MAX / 2) set(at);
    },
    /** Something is due: it rings, if it does not stand behind. */
    ring: (now: number): void => {
      if (armedAt !== null && armedAt > now) return;
      rings += 1;
      armedAt = null;
    },
    /** One that was left where it was goes off in vain, and is set anew. */
    ringUntil: (state: ExecutionState, at: number): void => {
      while (armedAt !== null && armedAt < at) {
        const rung: number = armedAt;
        rings += 1;
        armedAt = null;
        arm(state, rung, false);
      }
    },
    counts: () => ({ rows, rings }),
  };
}
