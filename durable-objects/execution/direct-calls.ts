// Direct calls: runs in the direct lane whose outcome the object awaits. Kept in memory only: a run in flight by its
// state but not listed here was lost with an earlier instance of the object. A completed call stays listed until its
// outcome is applied, so that other inputs of the same turn do not send it again.
import { DIRECT_RESULT_RETRY_GAPS_MS } from "#schema/limits/direct-calls.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import { runsInProgress } from "#schema/engine/reconciling.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { Ports } from "./ports.ts";

export type DirectCalls = {
  readonly fly: (ticket: Ticket) => void;
  /** Aborts the call if it is still in progress. */
  readonly callOff: (execution: string, run: string, attempt: number) => void;
  /** In progress, or completed with an outcome that is not applied yet. */
  readonly has: (execution: string, run: string, attempt: number) => boolean;
  /** Calls in progress: a completed one has freed its slot. */
  readonly count: () => number;
  /** Resolves with true when the next call completes, with false if none does within that time. */
  readonly landing: (withinMs: number) => Promise<boolean>;
};

/** The result of a direct call, as an input for the cell. */
export type DirectCallResult = { readonly execution: string; readonly command: Command; readonly direct: boolean };

export function openDirectCalls(
  ports: Pick<Ports, "fly" | "later" | "log">,
  land: (landing: DirectCallResult) => Promise<unknown>,
): DirectCalls {
  const inTheAir = new Map<string, AbortController>();
  const landed = new Set<string>();
  const awaited = new Set<(landed: boolean) => void>();

  /**
   * The outcome is stored nowhere else, so applying it is retried before it is dropped. A dropped one still counts as
   * completed: its attempt then times out, and is not sent again as unanswered.
   */
  const takeIn = async (flight: string, landing: DirectCallResult, tries: number): Promise<void> => {
    try {
      await land(landing);
      landed.delete(flight);
    } catch (fault) {
      ports.log({ level: "error", event: "settle_failed", flight, tries, message: String(fault) });
      const gapMs = DIRECT_RESULT_RETRY_GAPS_MS[tries - 1];
      if (gapMs !== undefined) ports.later(gapMs, () => void takeIn(flight, landing, tries + 1));
    }
  };

  const leave = (flight: string): void => {
    inTheAir.delete(flight);
    for (const tell of awaited) tell(true);
    awaited.clear();
  };

  return {
    fly: (ticket) => {
      const { execution, run, attempt } = ticket;
      const flight = nameOf(execution, run, attempt);
      const control = new AbortController();
      inTheAir.set(flight, control);
      void ports.fly(ticket, control.signal).then(
        (outcome) => {
          leave(flight);
          landed.add(flight);
          return takeIn(flight, { execution, command: { kind: "settle", run, attempt, outcome }, direct: true }, 1);
        },
        () => {
          leave(flight);
          // Any input finds runs that are in flight without a call; by now it may be another attempt, or none.
          return takeIn(flight, { execution, command: { kind: "orphaned", runs: [] }, direct: false }, 1);
        },
      );
    },
    callOff: (execution, run, attempt) => inTheAir.get(nameOf(execution, run, attempt))?.abort(),
    has: (execution, run, attempt) => {
      const flight = nameOf(execution, run, attempt);
      return inTheAir.has(flight) || landed.has(flight);
    },
    count: () => inTheAir.size,
    landing: (withinMs) =>
      new Promise((resolve) => {
        awaited.add(resolve);
        ports.later(withinMs, () => {
          awaited.delete(resolve);
          resolve(false);
        });
      }),
  };
}

/** Names one attempt's call: a late answer to an earlier attempt must not be mistaken for it. */
function nameOf(execution: string, run: string, attempt: number): string {
  return `${execution}/${run}#${attempt}`;
}

/** Runs that are in flight by their state, without a call. An execution that has ended needs none of them. */
export function lostDirectCalls(state: ExecutionState, flights: DirectCalls): readonly string[] {
  const isOver = isFinalStatus(state.status);
  return runsInProgress(state)
    .filter((run) => isInFlight(run) && !(isOver && !run.redriven))
    .filter((run) => !flights.has(state.id, run.id, run.attempt))
    .map(({ id }) => id);
}

function isInFlight(run: Run): boolean {
  return run.status === "running" && run.lane === "direct";
}
