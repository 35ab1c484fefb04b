// Runs in the direct lane while the object waits for their outcomes. Known to this life of the object only: what is in
// flight by its state and not in here went down with an earlier one.
import type { Command } from "#schema/engine/input.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { Ports } from "./ports.ts";

export type Flights = {
  readonly fly: (ticket: Ticket) => void;
  readonly has: (execution: string, run: string, attempt: number) => boolean;
  readonly count: () => number;
};

/** How a flight ended, on its way into the cell. */
export type Landing = { readonly execution: string; readonly command: Command; readonly direct: boolean };

export function openFlights(ports: Ports, land: (landing: Landing) => Promise<unknown>): Flights {
  const flights = new Set<string>();
  return {
    fly: (ticket) => {
      const { execution, run, attempt } = ticket;
      const flight = nameOf(execution, run, attempt);
      flights.add(flight);
      ports
        .fly(ticket)
        .then(
          (outcome) => {
            flights.delete(flight);
            return land({ execution, command: { kind: "settle", run, attempt, outcome }, direct: true });
          },
          () => {
            flights.delete(flight);
            // Any input finds what is in flight and carried by nobody; by now it may be another attempt, or none.
            return land({ execution, command: { kind: "orphaned", runs: [] }, direct: false });
          },
        )
        .catch((fault: unknown) =>
          ports.log({ level: "error", event: "settle_failed", execution, run, message: String(fault) }),
        );
    },
    has: (execution, run, attempt) => flights.has(nameOf(execution, run, attempt)),
    count: () => flights.size,
  };
}

/** One attempt's flight: a late answer to an earlier one must not be taken for it. */
function nameOf(execution: string, run: string, attempt: number): string {
  return `${execution}/${run}#${attempt}`;
}

/** Runs in flight that nobody carries any more. Those of an execution that has ended are waited for by nobody either. */
export function lostFlights(state: ExecutionState, flights: Flights): readonly string[] {
  const isOver = isFinalStatus(state.status);
  return state.runs
    .filter((run) => isInFlight(run) && !(isOver && !run.redriven))
    .filter((run) => !flights.has(state.id, run.id, run.attempt))
    .map(({ id }) => id);
}

function isInFlight(run: Run): boolean {
  return run.status === "running" && run.lane === "direct";
}
