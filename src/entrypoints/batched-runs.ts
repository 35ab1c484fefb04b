// Batched runs: runs several tickets in one invocation and returns results in groups, so that no result waits for the
// slowest run. A run that throws does not affect the other runs.
import { DIRECT_RESULTS_GROUP_MS } from "#schema/limits/run-attempts.ts";
import type { BatchedResult, BatchedResults, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";

/** Calls `act` after `ms` milliseconds. The returned function cancels the call. */
type Later = (ms: number, act: () => void) => () => void;

/** Starts all runs and returns the first group of results. A group's `more` returns the next group. */
export function runBatch(
  tickets: readonly Ticket[],
  run: (ticket: Ticket) => Promise<Outcome>,
  later: Later = callLater,
): Promise<BatchedResults> {
  let collected: BatchedResult[] = [];
  let runningCount = tickets.length;
  let returnGroup: ((results: BatchedResults) => void) | null = null;
  let cancelTimer: (() => void) | null = null;

  const returnCollected = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    const [resolve, landed] = [returnGroup, collected];
    [returnGroup, collected] = [null, []];
    resolve?.(runningCount === 0 ? { landed } : { landed, more: nextGroup });
  };
  /**
   * Returns the collected results immediately if all runs have ended. Otherwise waits a short time for further results.
   */
  const returnIfReady = (): void => {
    if (returnGroup === null || collected.length === 0) return;
    if (runningCount === 0) returnCollected();
    else cancelTimer ??= later(DIRECT_RESULTS_GROUP_MS, returnCollected);
  };
  const nextGroup = (): Promise<BatchedResults> =>
    new Promise((resolve) => {
      returnGroup = resolve;
      returnIfReady();
    });
  const collect = (result: BatchedResult): void => {
    collected.push(result);
    runningCount -= 1;
    returnIfReady();
  };
  const firstGroup = nextGroup();
  tickets.forEach((ticket, at) => {
    run(ticket).then(
      (outcome) => collect({ at, outcome }),
      (fault: unknown) => collect({ at, lost: String(fault) }),
    );
  });
  return firstGroup;
}

function callLater(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}
