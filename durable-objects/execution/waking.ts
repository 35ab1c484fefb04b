// Waking a cell: what is due is done, an empty one gives its storage back, and what goes wrong comes again.
import { ALARM_RETRY_AFTER_MS } from "#schema/limits/objects.ts";
import type { CellEngine } from "./cell.ts";
import type { Ports } from "./ports.ts";

export type WakingPorts = Pick<Ports, "now" | "log"> & {
  /** Outside of any commit, so it is waited for. */
  readonly rearm: (at: number) => Promise<void>;
  /** Everything goes, the alarm too. */
  readonly reset: () => Promise<void>;
};

/** Neither throws: who poked has an answer by then, and an alarm that fails six times is forgotten by the platform. */
export type Waking = {
  readonly wakeFor: (executions: readonly string[]) => Promise<void>;
  readonly alarm: () => Promise<void>;
};

export function openWaking(cell: CellEngine, ports: WakingPorts): Waking {
  /** Does what is due. A cell that is left without executions gives its storage back, and the alarm goes with it. */
  const wake = async (): Promise<void> => {
    await cell.wake();
    if (!cell.isEmpty()) return;
    cell.alarm.noteArmed(null);
    await ports.reset();
  };

  /** Unless it is armed early enough as it is. */
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
        // Whoever pokes may do so because the catalog is behind: projecting again changes nothing if it is not.
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
        // Whatever is armed now would fail the same way, as often as it can.
        await againSoon("alarm_failed", fault, null);
      }
    },
  };
}
