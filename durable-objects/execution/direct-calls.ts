// Direct calls: runs of the direct lane that the object calls itself, and whose outcome it awaits. The list is in
// memory only. A run that the stored state shows as running, but that is not listed, was lost with an earlier instance
// of the object. A completed call stays listed until its outcome is applied, so that no other input of the turn repeats
// it.
import { DIRECT_RESULT_RETRY_GAPS_MS } from "#schema/limits/run-attempts.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import { runsInProgress } from "#schema/engine/reconciling.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { Ports } from "./ports.ts";

export type DirectCalls = {
  /** Starts the call. Its outcome is applied to the cell when the call completes. */
  readonly start: (ticket: Ticket) => void;
  /** Aborts the call if it is still in progress. */
  readonly abort: (execution: string, run: string, attempt: number) => void;
  /** True if the call is in progress, or has completed and its outcome is not applied yet. */
  readonly has: (execution: string, run: string, attempt: number) => boolean;
  /** The number of calls in progress. A completed call has freed its slot. */
  readonly count: () => number;
  /** Resolves with true when the next call completes, or with false after `withinMs`. */
  readonly nextCompletion: (withinMs: number) => Promise<boolean>;
};

/** The result of a direct call, as an input for the cell. */
export type DirectCallResult = { readonly execution: string; readonly command: Command; readonly direct: boolean };

export function openDirectCalls(
  ports: Pick<Ports, "callRunner" | "runAfter" | "log">,
  applyToCell: (result: DirectCallResult) => Promise<unknown>,
): DirectCalls {
  const inProgress = new Map<string, AbortController>();
  const completed = new Set<string>();
  const waiters = new Set<(hasCompleted: boolean) => void>();

  /**
   * Applies an outcome to the cell. It retries before it drops an outcome, because the outcome is stored nowhere else.
   * A dropped call still counts as completed: its attempt times out, and is not sent again.
   */
  const applyResult = async (call: string, result: DirectCallResult, tries: number): Promise<void> => {
    try {
      await applyToCell(result);
      completed.delete(call);
    } catch (fault) {
      ports.log({ level: "error", event: "settle_failed", flight: call, tries, message: String(fault) });
      const gapMs = DIRECT_RESULT_RETRY_GAPS_MS[tries - 1];
      if (gapMs !== undefined) ports.runAfter(gapMs, () => void applyResult(call, result, tries + 1));
    }
  };

  const freeSlot = (call: string): void => {
    inProgress.delete(call);
    for (const resolve of waiters) resolve(true);
    waiters.clear();
  };

  return {
    start: (ticket) => {
      const { execution, run, attempt } = ticket;
      const call = callName(execution, run, attempt);
      const control = new AbortController();
      inProgress.set(call, control);
      void ports.callRunner(ticket, control.signal).then(
        (outcome) => {
          freeSlot(call);
          completed.add(call);
          return applyResult(call, { execution, command: { kind: "settle", run, attempt, outcome }, direct: true }, 1);
        },
        () => {
          freeSlot(call);
          // This input names no lost runs, because every turn finds the lost runs itself. Before that turn, the attempt
          // may change.
          return applyResult(call, { execution, command: { kind: "orphaned", runs: [] }, direct: false }, 1);
        },
      );
    },
    abort: (execution, run, attempt) => inProgress.get(callName(execution, run, attempt))?.abort(),
    has: (execution, run, attempt) => {
      const call = callName(execution, run, attempt);
      return inProgress.has(call) || completed.has(call);
    },
    count: () => inProgress.size,
    nextCompletion: (withinMs) =>
      new Promise((resolve) => {
        waiters.add(resolve);
        ports.runAfter(withinMs, () => {
          waiters.delete(resolve);
          resolve(false);
        });
      }),
  };
}

/** The name includes the attempt, so that a late answer to an earlier attempt is not applied to the current attempt. */
function callName(execution: string, run: string, attempt: number): string {
  return `${execution}/${run}#${attempt}`;
}

/** Returns the runs that the state shows as running, but for which no call is listed; empty for an ended execution. */
export function lostDirectCalls(state: ExecutionState, calls: DirectCalls): readonly string[] {
  const hasEnded = isFinalStatus(state.status);
  return runsInProgress(state)
    .filter((run) => isRunningDirectly(run) && !(hasEnded && !run.redriven))
    .filter((run) => !calls.has(state.id, run.id, run.attempt))
    .map(({ id }) => id);
}

function isRunningDirectly(run: Run): boolean {
  return run.status === "running" && run.lane === "direct";
}
