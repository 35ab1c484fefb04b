// What the cell of one execution costs that has it to itself: its table, its alarm, its messages to the lists.
import type { Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { GATE_ASLEEP_AFTER_MS } from "#schema/limits/outgoing-calls.ts";
import { perExecution } from "#schema/limits/platform-costs.ts";
import { openAlarmMeter } from "./alarm-meter.ts";
import { openTelling, type CatalogMeter } from "./catalog-meter.ts";

/** What an execution does in the cell that it lives in. */
export type CellOfOne = {
  /** Before what has come is taken: a call from outside, or what has landed of its own flights. */
  readonly comes: (kind: "start" | "tick" | "call" | "landing", before: ExecutionState | null, at: number) => void;
  /** The turn that took it, and whether the kernel asks that lists are told. */
  readonly committed: (state: ExecutionState, at: number, isTold: boolean) => void;
  /** What is spent on it alone. */
  readonly counts: () => Spent;
};
export type Spent = { readonly rows: number; readonly requests: number; readonly messages: number };

export function openOwnCell(catalog: CatalogMeter): CellOfOne {
  const alarm = openAlarmMeter();
  const telling = openTelling();
  let [rows, requests, messages] = [0, 0, 0];
  let [hasSlept, isAwoken] = [false, false];

  return {
    comes: (kind, before, at) => {
      hasSlept = before !== null && at - before.updatedAt > GATE_ASLEEP_AFTER_MS;
      isAwoken = hasSlept && kind === "tick";
      if (before !== null) alarm.ringUntil(before, at);
      if (kind === "tick") alarm.ring(at);
      if (kind === "call") requests += 1;
      if (kind !== "start") return;
      rows += perExecution.rows;
      requests += perExecution.requests;
    },
    committed: (state, at, isTold) => {
      alarm.arm(state, at, isTold);
      // One that has slept does not know that the lists have been told of its last turn, and tells them again.
      const tells = isTold || isAwoken;
      if (!tells && state.finishedAt === null) return;
      if (tells) {
        messages += 1;
        catalog.write({ at, told: [telling(state, at, hasSlept)] });
      }
      if (!state.runs.some(isFlying)) alarm.armExactly(state, at);
    },
    counts: () => {
      const { rows: alarmsSet, rings } = alarm.counts();
      return { rows: rows + alarmsSet, requests: requests + rings, messages };
    },
  };
}

function isFlying({ status, lane }: Run): boolean {
  return status === "running" && lane === "direct";
}
