// Auto-retry after recovery: records when the breaker opens and closes. When it has been closed for long enough, asks
// the Worker to retry the dead letters of the outage. The Worker decides whether the settings allow it.
import { recordBreakerChange, recordAutoRetryAnswer, autoRetryDueAt } from "#policy/gates/auto-retry.ts";
import type { Breaker } from "#policy/gates/breaker.ts";
import type { AutoRetryAnswer, AutoRetryRequest, ConnectionLimits } from "#schema/gate.ts";
import type { GateStorage } from "./storage.ts";

export type AutoRetryPorts = {
  readonly storage: Pick<GateStorage, "readAutoRetry" | "writeAutoRetry">;
  readonly now: () => number;
  readonly name: () => Pick<AutoRetryRequest, "tenant" | "connection">;
  /** Asks the Worker to retry. */
  readonly ask: (ask: AutoRetryRequest) => Promise<AutoRetryAnswer>;
  /** Sets the alarm for the time `at`, unless it is already set for an earlier time. */
  readonly wakeAt: (at: number) => void;
};

export type AutoRetries = {
  /** Returns when to ask the Worker for the auto-retry, epoch ms; null if no auto-retry is planned. */
  readonly dueAt: (breaker: Breaker) => number | null;
  readonly breakerChanged: (before: Breaker, after: Breaker, terms: ConnectionLimits) => void;
  /** Asks the Worker for the auto-retry if it is due. Rejects if the Worker does not answer. */
  readonly retryIfDue: (breaker: Breaker) => Promise<void>;
};

export function openAutoRetry({ storage, now, name, ask, wakeAt }: AutoRetryPorts): AutoRetries {
  let state = storage.readAutoRetry();
  const update = (next: typeof state): void => {
    if (next === state) return;
    state = next;
    storage.writeAutoRetry(next);
  };
  const dueAt = (breaker: Breaker): number | null => autoRetryDueAt(state, breaker);
  return {
    dueAt,
    breakerChanged: (before, after, terms) => {
      const stateBefore = state;
      update(recordBreakerChange(state, [before.kind, after.kind], terms, now()));
      const at = state === stateBefore ? null : dueAt(after);
      if (at !== null) wakeAt(at);
    },
    retryIfDue: async (breaker) => {
      const at = dueAt(breaker);
      const { since, last } = state;
      if (at === null || since === null || at > now()) return;
      // If the answer is lost, a repeated request for the same outage returns the same operation, so nothing is retried
      // twice.
      const answer = await ask({ ...name(), since, last });
      update(recordAutoRetryAnswer(state, since, answer, now()));
    },
  };
}
