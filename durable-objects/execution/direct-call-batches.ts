// Batches of direct calls: runs that start in one turn are sent together, a few in each RPC, because an RPC costs as
// much as its payload. A run that was lost before, or that can be aborted, is sent on its own.
import { DIRECT_CALLS_PER_INVOCATION_MAX } from "#schema/limits/direct-calls.ts";
import type { BatchedResults, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";

/** The Worker's own stateless entrypoint, as the object sees it. */
export type RunnerPort = {
  run(ticket: Ticket, untilCalledOff?: () => Promise<void>): Promise<Outcome>;
  runTogether(tickets: readonly Ticket[]): Promise<BatchedResults>;
};

/** Resolves with the run's own outcome, rejects if it is lost. */
type Fly = (ticket: Ticket, calledOff: AbortSignal) => Promise<Outcome>;

type Leaving = {
  readonly ticket: Ticket;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (fault: unknown) => void;
};

export function openDirectCallBatches(runner: RunnerPort): Fly {
  let leaving: Leaving[] = [];

  const leave = (): void => {
    const all = leaving;
    leaving = [];
    for (const some of evenly(all)) {
      const [first] = some;
      if (some.length > 1) void carry(some);
      else if (first) runner.run(first.ticket).then(first.resolve, first.reject);
    }
  };

  const carry = async (some: readonly Leaving[]): Promise<void> => {
    const inTheAir = new Set(some);
    try {
      let landings = await runner.runTogether(some.map(({ ticket }) => ticket));
      for (;;) {
        for (const each of landings.landed) {
          const flight = some[each.at];
          if (!flight) continue;
          inTheAir.delete(flight);
          if ("outcome" in each) flight.resolve(each.outcome);
          else flight.reject(new Error(each.lost));
        }
        if (!landings.more) return;
        const next = await landings.more();
        letGo(landings);
        landings = next;
      }
    } catch (fault) {
      for (const { reject } of inTheAir) reject(fault);
    }
  };

  return (ticket, calledOff) => {
    if (ticket.mayBeCalledOff) return runner.run(ticket, () => untilAborted(calledOff));
    // A repeated run may be the cause of the crash that lost its batch.
    if (ticket.possiblyRepeated) return runner.run(ticket);
    return new Promise((resolve, reject) => {
      if (leaving.length === 0) queueMicrotask(leave);
      leaving.push({ ticket, resolve, reject });
    });
  };
}

function evenly<Item>(all: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(all.length / DIRECT_CALLS_PER_INVOCATION_MAX);
  const startOf = (part: number): number => Math.ceil((part * all.length) / count);
  return Array.from({ length: count }, (_, part) => all.slice(startOf(part), startOf(part + 1)));
}

/** An RPC result keeps its invocation alive until it is disposed. */
function letGo(landings: BatchedResults & Partial<Disposable>): void {
  landings[Symbol.dispose]?.();
}

/** Signals do not cross RPC; functions do. */
function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
