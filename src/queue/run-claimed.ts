// Execution of claimed runs: claim, run, settle. Runs of one cell share a claim call, and runs that end together share
// a settle call. The answer to a settlement may contain the execution's next run. The same claimant repeats a call
// whose answer was lost.
import { fitsBatch } from "#policy/gates/batch-time.ts";
import { CELL_CALL_MS_MAX, CLAIM_RETRY_GAPS_MS, NEXT_RUN_WITHIN_MS } from "#schema/limits/queues/consumers.ts";
import { isSlow, queueOf, type ActionQueue } from "#schema/engine/message.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { isUndecided, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "#services/deps.ts";
import type { ActionArrival, ArrivalEnding } from "./arrival.ts";
import { openSettling, type Settling } from "./settlements.ts";
import { pause, withTimeout, type Later } from "./timeouts.ts";

/** Executes the run of a ticket. `queue`: the queue whose message the consumer is processing. */
export type RunAction = (ticket: Ticket, queue: ActionQueue) => Promise<Outcome>;

type Parts = {
  readonly deps: Pick<Deps, "cell" | "log" | "now">;
  readonly run: RunAction;
  readonly later: Later;
  readonly end: (arrival: ActionArrival, ending: ArrivalEnding) => void;
  /** Called when a run has ended but its settlement is not confirmed yet. The caller then frees the run's slot. */
  readonly rests: (arrival: ActionArrival) => void;
};

/** Claims and executes the arrivals of one cell. Resolves when all of these arrivals have ended. */
export type Carrying = (cell: string, arrivals: readonly ActionArrival[]) => Promise<void>;

export function openCarrying({ deps, run, later, end, rests }: Parts): Carrying {
  const settlings = new Map<string, Settling>();
  const startedAt = deps.now();

  /** Claims the runs of the arrivals. Returns null if the cell did not answer; the messages are then retried. */
  const claim = async (cell: string, arrivals: readonly ActionArrival[]): Promise<readonly Result<Ticket>[] | null> => {
    const items = arrivals.map((arrival) => {
      const { execution, run: id, attempt } = arrival.body;
      return { execution, run: id, attempt, by: arrival.claimant };
    });
    for (const gap of [...CLAIM_RETRY_GAPS_MS, null]) {
      try {
        return await withTimeout(later, CELL_CALL_MS_MAX, deps.cell(cell).claimMany(items));
      } catch (fault) {
        deps.log({ level: "warn", event: "actions_not_claimed", cell, count: items.length, message: String(fault) });
      }
      if (gap !== null) await pause(later, gap);
      if (!arrivals.every(({ body }) => fitsBatch(startedAt, deps.now(), body.timeoutMs))) break;
    }
    return null;
  };

  /** Executes one attempt. Returns null for a fault outside of the runner, so that the attempt is not settled. */
  const attempt = async (ticket: Ticket, queue: ActionQueue): Promise<Outcome | null> => {
    try {
      return await run(ticket, queue);
    } catch (fault) {
      const { execution, run: id } = ticket;
      deps.log({ level: "error", event: "action_not_run", execution, run: id, message: String(fault) });
      return null;
    }
  };

  /** Executes a run, then the execution's next runs while time is left. Returns true if the first run is settled. */
  const follow = async (first: Ticket, arrival: ActionArrival, settling: Settling): Promise<boolean> => {
    let isSettled = false;
    for (let ticket: Ticket | null = first; ticket !== null;) {
      const outcome = await attempt(ticket, queueOf(arrival.body));
      if (outcome === null) {
        settling.miss();
        return isSettled;
      }
      const { execution, run: id, attempt: number, deadlineAt } = ticket;
      const takesNext = deps.now() < startedAt + NEXT_RUN_WITHIN_MS;
      const whose = { by: arrival.claimant, takesSlow: isSlow(arrival.body) };
      const item = { execution, run: id, attempt: number, outcome, takesNext, ...whose };
      const answer = await settling.settle({ item, deadlineAt, delayed: () => rests(arrival) });
      isSettled ||= answer !== null;
      ticket = answer?.ok ? answer.value.next : null;
      if (ticket) settling.expect(1);
    }
    return isSettled;
  };

  return async (cell, arrivals) => {
    const settling = settlings.get(cell) ?? openSettling({ deps, later, cell });
    settlings.set(cell, settling);
    const claims = await claim(cell, arrivals);
    settling.expect(claims?.filter(({ ok }) => ok).length ?? 0);
    const work = arrivals.map(async (arrival, at) => {
      const claimed = claims?.[at];
      // The cell refuses a claim if the run is canceled, paused, late, or claimed by another consumer.
      if (!claimed || !claimed.ok) return end(arrival, claimed && !isUndecided(claimed.refusal) ? "done" : "again");
      end(arrival, (await follow(claimed.value, arrival, settling)) ? "done" : "again");
    });
    await Promise.all(work);
  };
}
