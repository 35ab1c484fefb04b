// Run wakes: wakes runs for which a limit by key has a free slot. The next alarm applies them, because the depth of calls
// between objects is limited, and only an alarm or a queue begins at depth zero. The wakes are in memory only: after an
// eviction each run returns at the end of its hold.
import { answerWake } from "#kernel/execution/limits/wake-run.ts";
import type { WakeAnswer, WakeItem } from "#schema/engine/cell.ts";
import { LIMIT_WAKE_RECHECK } from "#schema/limits/limits-by-key.ts";
import type { CellEngine } from "../cell.ts";
import type { WakingPorts } from "./waking.ts";

export type RunWakes = {
  readonly wake: (items: readonly WakeItem[]) => Promise<readonly WakeAnswer[]>;
  /** Called by the alarm: applies the wakes that have arrived. */
  readonly apply: () => Promise<void>;
};

type Parts = Pick<CellEngine, "read" | "applyInputs" | "alarm">;

export function openRunWakes(cell: Parts, ports: Pick<WakingPorts, "now" | "log" | "rearm" | "runAfter">): RunWakes {
  const arrived = new Map<string, WakeItem>();

  /** Sets the alarm to now. If this fails, each run returns at the end of its hold. */
  const armNow = async (): Promise<void> => {
    // The platform would drop an alarm for the time at which an alarm fires.
    const at = ports.now() + 1;
    try {
      await ports.rearm(at);
      cell.alarm.noteArmed(at);
    } catch (fault) {
      ports.log({ level: "warn", event: "run_wake_failed", message: String(fault) });
    }
  };

  /** A run whose request is being settled may be held by this settlement, so it is checked again soon. */
  const check = async (items: readonly WakeItem[], checks: number): Promise<readonly WakeAnswer[]> => {
    const answers = items.map(({ execution, ...item }) => answerWake(cell.read(execution), item));
    const waiting = items.filter((_item, index) => answers[index] === "waits");
    const asking = items.filter((_item, index) => answers[index] === "asks");
    if (asking.length > 0 && checks < LIMIT_WAKE_RECHECK.times)
      ports.runAfter(LIMIT_WAKE_RECHECK.firstMs * 2 ** checks, () => void check(asking, checks + 1));
    for (const item of waiting) arrived.set(`${item.execution}/${item.run}`, item);
    if (waiting.length > 0) await armNow();
    return answers;
  };

  return {
    wake: (items) => check(items, 0),
    apply: async () => {
      const items = [...arrived.values()];
      arrived.clear();
      if (items.length === 0) return;
      await cell.applyInputs(
        items.map(({ execution, ...item }) => ({ execution, command: { kind: "wakeRun", ...item }, direct: true })),
      );
    },
  };
}
