// What an execution's alarm costs, by its habits (durable-objects/execution/alarm.ts): setting it is a row, and its going off a
// request. It is moved earlier, and later only where its execution is alone in its cell and the lists have been told.
import { nextWake } from "#kernel/execution/clock.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { ALARM_HOP_MS_MAX, PROJECT_WITHIN_MS } from "#schema/limits/objects.ts";

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
    const at = Math.min(wakeOf(state, now) ?? Infinity, isTold ? now + PROJECT_WITHIN_MS : Infinity);
    if (at !== Infinity && (armedAt === null || armedAt > at)) set(Math.max(at, now + 1));
  };
  return {
    arm,
    armExactly: (state: ExecutionState, now: number): void => {
      const at = wakeOf(state, now);
      // Where anything is to be woken for, an alarm has just been armed.
      const armed = Number(armedAt);
      if (at !== null && armed < at && armed < now + ALARM_HOP_MS_MAX / 2) set(at);
    },
    ring: (): void => {
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
