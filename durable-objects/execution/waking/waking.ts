// Waking: runs a cell's due work, deletes the storage of an empty cell, and schedules a retry after a fault.
import { ALARM_RETRY_AFTER_MS } from "#schema/limits/alarms.ts";
import type { CellEngine } from "../cell.ts";
import type { Ports } from "../ports.ts";
import type { RunWakes } from "./run-wakes.ts";

export type WakingPorts = Pick<Ports, "now" | "log" | "runAfter"> & {
  /** Sets the alarm outside of a commit, so the caller awaits it. */
  readonly rearm: (at: number) => Promise<void>;
  /** Deletes all rows and the alarm. */
  readonly reset: () => Promise<void>;
};

/**
 * Neither function rejects. A poke is answered before its work runs, and the platform drops an alarm that fails six
 * times.
 */
export type Waking = {
  readonly wakeFor: (executions: readonly string[]) => Promise<void>;
  readonly alarm: () => Promise<void>;
};

export function openWaking(cell: CellEngine, runWakes: RunWakes, ports: WakingPorts): Waking {
  /** Runs due work. A cell without executions then deletes its storage and its alarm. */
  const wake = async (): Promise<void> => {
    await cell.wake();
    if (!cell.isEmpty()) return;
    cell.alarm.noteArmed(null);
    await ports.reset();
  };

  /** Sets the alarm for a retry, unless it is already set for an earlier time. */
  const retrySoon = async (event: string, fault: unknown, armedAt: number | null): Promise<void> => {
    ports.log({ level: "error", event, message: String(fault) });
    const at = ports.now() + ALARM_RETRY_AFTER_MS;
    if (armedAt !== null && armedAt <= at) return;
    await ports.rearm(at);
    cell.alarm.noteArmed(at);
  };

  return {
    wakeFor: async (executions) => {
      try {
        await wake();
        // The poke may come from the sweeper because the catalog is behind. To project again is idempotent.
        await cell.projectAgain(executions);
      } catch (fault) {
        await retrySoon("poke_failed", fault, cell.alarm.armedAt());
      }
    },
    alarm: async () => {
      try {
        cell.alarm.noteArmed(null);
        await runWakes.apply();
        await wake();
      } catch (fault) {
        // null: the alarm that is set counts as lost, because its work has failed.
        await retrySoon("alarm_failed", fault, null);
      }
    },
  };
}
