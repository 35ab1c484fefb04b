// Automatic retry after recovery: records the breaker's changes, and when it has been closed for long enough asks the
// Worker to retry what failed. The Worker knows the settings and the dead letters.
import { recordBreakerChange, recordAutoRetryAnswer, autoRetryDueAt } from "#policy/gates/auto-retry.ts";
import type { Breaker } from "#policy/gates/breaker.ts";
import type { HealAnswer, HealAsk, Terms } from "#schema/gate.ts";
import type { GateStorage } from "./storage.ts";

export type HealPorts = {
  readonly storage: Pick<GateStorage, "readHealing" | "keepHealing">;
  readonly now: () => number;
  readonly name: () => Pick<HealAsk, "tenant" | "connection">;
  readonly ask: (ask: HealAsk) => Promise<HealAnswer>;
  /** Wakes the object then, or earlier. */
  readonly wakeAt: (at: number) => void;
};

export function openHealing({ storage, now, name, ask, wakeAt }: HealPorts) {
  let healing = storage.readHealing();
  const become = (next: typeof healing): void => {
    if (next === healing) return;
    healing = next;
    storage.keepHealing(next);
  };
  const dueAt = (breaker: Breaker): number | null => autoRetryDueAt(healing, breaker);
  return {
    dueAt,
    turned: (before: Breaker, after: Breaker, terms: Terms): void => {
      const noted = healing;
      become(recordBreakerChange(healing, [before.kind, after.kind], terms, now()));
      const at = noted === healing ? null : dueAt(after);
      if (at !== null) wakeAt(at);
    },
    /** A repeated request for the same outage is the same operation, so a lost answer is harmless. */
    wake: async (breaker: Breaker): Promise<void> => {
      const at = dueAt(breaker);
      const { since, last } = healing;
      if (at === null || since === null || at > now()) return;
      const answer = await ask({ ...name(), since, last });
      become(recordAutoRetryAnswer(healing, since, answer, now()));
    },
  };
}
