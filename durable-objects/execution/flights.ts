// Runs in the direct lane while the object waits for their outcomes. Known to this life of the object only: what is in
// flight by its state and not in here went down with an earlier one. A flight that has landed stays in here until its
// outcome has been taken: other inputs of its turn must not send out again what has been answered.
import { LANDING_GAPS_MS } from "#schema/limits/objects.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import { runsInHand } from "#schema/engine/reconciling.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { Ports } from "./ports.ts";

export type Flights = {
  readonly fly: (ticket: Ticket) => void;
  /** Whoever carries it is told to stop; where it is not in the air there is nobody to tell. */
  readonly callOff: (execution: string, run: string, attempt: number) => void;
  /** In the air, or landed with an outcome that has not been taken yet. */
  readonly has: (execution: string, run: string, attempt: number) => boolean;
  /** In the air: whatever has landed has left its place to the next. */
  readonly count: () => number;
  /** Resolves with true when the next one lands, with false if none does within that time. */
  readonly landing: (withinMs: number) => Promise<boolean>;
};

/** How a flight ended, on its way into the cell. */
export type Landing = { readonly execution: string; readonly command: Command; readonly direct: boolean };

export function openFlights(
  ports: Pick<Ports, "fly" | "later" | "log">,
  land: (landing: Landing) => Promise<unknown>,
): Flights {
  const inTheAir = new Map<string, AbortController>();
  const landed = new Set<string>();
  const awaited = new Set<(landed: boolean) => void>();

  /**
   * What the outcome says is known nowhere else: it is offered again before it is let go. One that is let go still
   * counts as landed, so that its attempt times out, and is not sent out again as one that nobody has answered.
   */
  const takeIn = async (flight: string, landing: Landing, tries: number): Promise<void> => {
    try {
      await land(landing);
      landed.delete(flight);
    } catch (fault) {
      ports.log({ level: "error", event: "settle_failed", flight, tries, message: String(fault) });
      const gapMs = LANDING_GAPS_MS[tries - 1];
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
          // Any input finds what is in flight and carried by nobody; by now it may be another attempt, or none.
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

/** One attempt's flight: a late answer to an earlier one must not be taken for it. */
function nameOf(execution: string, run: string, attempt: number): string {
  return `${execution}/${run}#${attempt}`;
}

/** Runs in flight that nobody carries any more. Those of an execution that has ended are waited for by nobody either. */
export function lostFlights(state: ExecutionState, flights: Flights): readonly string[] {
  const isOver = isFinalStatus(state.status);
  return runsInHand(state)
    .filter((run) => isInFlight(run) && !(isOver && !run.redriven))
    .filter((run) => !flights.has(state.id, run.id, run.attempt))
    .map(({ id }) => id);
}

function isInFlight(run: Run): boolean {
  return run.status === "running" && run.lane === "direct";
}
