// Runs several tickets in one invocation and returns results in groups, so that no result waits for the slowest run. A
// run that throws does not affect the other runs.
import { DIRECT_RESULTS_GROUP_MS } from "#schema/limits/direct-calls.ts";
import type { BatchedResult, BatchedResults, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";

/** Calls `act` after this many milliseconds; the returned function cancels the call. */
type Later = (ms: number, act: () => void) => () => void;

export function runBatch(
  tickets: readonly Ticket[],
  run: (ticket: Ticket) => Promise<Outcome>,
  later: Later = afterwards,
): Promise<BatchedResults> {
  let landed: BatchedResult[] = [];
  let left = tickets.length;
  let tell: ((landings: BatchedResults) => void) | null = null;
  let takeBack: (() => void) | null = null;

  const give = (): void => {
    takeBack?.();
    takeBack = null;
    const [told, given] = [tell, landed];
    [tell, landed] = [null, []];
    told?.(left === 0 ? { landed: given } : { landed: given, more });
  };
  /**
   * Returns the collected results: at once if all runs have ended, otherwise after a short wait for further results.
   */
  const look = (): void => {
    if (tell === null || landed.length === 0) return;
    if (left === 0) give();
    else takeBack ??= later(DIRECT_RESULTS_GROUP_MS, give);
  };
  const more = (): Promise<BatchedResults> =>
    new Promise((resolve) => {
      tell = resolve;
      look();
    });
  const land = (one: BatchedResult): void => {
    landed.push(one);
    left -= 1;
    look();
  };
  const asked = more();
  tickets.forEach((ticket, at) => {
    run(ticket).then(
      (outcome) => land({ at, outcome }),
      (fault: unknown) => land({ at, lost: String(fault) }),
    );
  });
  return asked;
}

function afterwards(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
