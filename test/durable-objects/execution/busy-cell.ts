// A test cell whose direct calls are completed by the test, and in which inputs wait for each other. The test runs the
// timers.
import type { Ports } from "#objects/execution/ports.ts";
import type { ActionMessage } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { GROUP_COMMIT_MS } from "#schema/limits/executions.ts";
import { openTestCell } from "./cell.ts";

type Flight = {
  readonly ticket: Ticket;
  readonly land: (outcome: Outcome) => void;
  readonly lose: (fault: Error) => void;
};
type Line = { readonly [key: string]: unknown };

export type BusyCell = ReturnType<typeof openBusyCell>;

export function openBusyCell() {
  const flights: Flight[] = [];
  const messages: ActionMessage[] = [];
  const lines: Line[] = [];
  let waiting: { readonly dueAt: number; readonly work: () => void }[] = [];
  let passed = 0;
  const cell = openTestCell({
    runAfter: (ms, work) => void waiting.push({ dueAt: passed + ms, work }),
    callRunner: (ticket) => new Promise((land, lose) => flights.push({ ticket, land, lose })),
    sendActions: async (sent) => void messages.push(...sent),
    log: (line) => void lines.push(line),
  } satisfies Partial<Ports>);

  const flightOf = (action: string): Flight => {
    const flight = flights.find(({ ticket }) => ticket.action === action);
    if (!flight) throw new Error(`${action} is not in the air`);
    return flight;
  };
  /** Resolves after all settled promises have run their callbacks. */
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const pass = async (ms: number): Promise<void> => {
    passed += ms;
    cell.at(passed);
    for (let due = ready(); due.length > 0; due = ready()) {
      for (const { work } of due) work();
      await settled();
    }
  };
  const ready = () => {
    const due = waiting.filter(({ dueAt }) => dueAt <= passed);
    waiting = waiting.filter(({ dueAt }) => dueAt > passed);
    return due;
  };

  return {
    ...cell,
    flights,
    messages,
    logged: (event: string) => lines.filter((line) => line["event"] === event),
    /** Completes the latest call of this action with an outcome. The cell has not applied it yet. */
    land: async (action: string, outcome: Outcome): Promise<void> => {
      flightOf(action).land(outcome);
      await settled();
    },
    lose: async (action: string): Promise<void> => {
      flightOf(action).lose(new Error("the runner could not be reached"));
      await settled();
    },
    /** Passes the time that inputs wait for each other. */
    group: () => pass(GROUP_COMMIT_MS),
    pass,
  };
}
