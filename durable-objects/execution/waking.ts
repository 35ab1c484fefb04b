// Waking: processes a cell's due work, deletes an empty cell's storage, and retries failures.
import { ALARM_RETRY_AFTER_MS } from "#schema/limits/alarms.ts";
import type { CellEngine } from "./cell.ts";
import type { Ports } from "./ports.ts";

export type WakingPorts = Pick<Ports, "now" | "log"> & {
  /** Outside of any commit, so it is awaited. */
  readonly rearm: (at: number) => Promise<void>;
  /** Deletes everything, including the alarm. */
  readonly reset: () => Promise<void>;
};

/** Neither throws: the poke is already answered, and the platform drops an alarm that fails six times. */
export type Waking = {
  readonly wakeFor: (executions: readonly string[]) => Promise<void>;
  readonly alarm: () => Promise<void>;
};

export function openWaking(cell: CellEngine, ports: WakingPorts): Waking {
  /** Processes due work. A cell without executions deletes its storage and its alarm. */
  const wake = async (): Promise<void> => {
    await cell.wake();
    if (!cell.isEmpty()) return;
    cell.alarm.noteArmed(null);
    await ports.reset();
  };

  /** Unless it is armed early enough already. */
  const againSoon = async (event: string, fault: unknown, armedAt: number | null): Promise<void> => {
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
        // A poke may be sent because the catalog is behind; projecting again is idempotent.
        await cell.projectAgain(executions);
      } catch (fault) {
        await againSoon("poke_failed", fault, cell.alarm.armedAt());
      }
    },
    alarm: async () => {
      try {
        cell.alarm.noteArmed(null);
        await wake();
      } catch (fault) {
        // Whatever is armed now would fail the same way, up to its limit.
        await againSoon("alarm_failed", fault, null);
      }
    },
  };
}
