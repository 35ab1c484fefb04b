// Intake: collects inputs for a turn. While the cell is busy, inputs wait briefly, so that one commit serves several
// inputs. Each caller gets its answer after the turn.
import { GROUP_COMMIT_FROM, GROUP_COMMIT_ACTIVE_MS, GROUP_COMMIT_MS } from "#schema/limits/executions.ts";

/** The result or the fault of one input. A fault of one input must not fail the other inputs of its turn. */
export type AttemptResult<Answer> = { readonly value: Answer } | { readonly fault: unknown };

export type Intake<Item, Answer> = {
  /** Submits inputs for the next turn. Returns a promise for each; it settles after the turn. */
  readonly submit: (items: readonly Item[]) => readonly Promise<Answer>[];
};

type Parts<Item, Answer> = {
  readonly runAfter: (ms: number, work: () => void) => void;
  readonly now: () => number;
  /** Returns the executions that count as the load of a call with these items. */
  readonly executionsOf: (items: readonly Item[]) => readonly string[];
  /**
   * Decides whether a turn waits for more inputs. `recentExecutions`: how many executions had input recently, the
   * current ones included.
   */
  readonly waitsForOthers: (recentExecutions: number) => boolean;
  /** Applies all items in one turn. If it throws, every item fails with that fault. */
  readonly turn: (items: readonly Item[]) => readonly AttemptResult<Answer>[];
};

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: unknown) => void;
};

export function openIntake<Item, Answer>({
  runAfter,
  now,
  executionsOf,
  waitsForOthers,
  turn,
}: Parts<Item, Answer>): Intake<Item, Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let isGrouping = false;
  const recentExecutions = openRecentExecutions(now);

  const runTurn = (): void => {
    isGrouping = false;
    const batch = waiting;
    waiting = [];
    try {
      const answers = turn(batch.map(({ item }) => item));
      for (const [index, answer] of answers.entries()) {
        if ("fault" in answer) batch[index]?.reject(answer.fault);
        else batch[index]?.resolve(answer.value);
      }
    } catch (fault) {
      for (const { reject } of batch) reject(fault);
    }
  };

  return {
    submit: (items) => {
      const answers = items.map(
        (item) => new Promise<Answer>((resolve, reject) => waiting.push({ item, resolve, reject })),
      );
      const count = Math.max(0, ...executionsOf(items).map(recentExecutions.count));
      if (isGrouping) return answers;
      if (waitsForOthers(count)) {
        isGrouping = true;
        runAfter(GROUP_COMMIT_MS, runTurn);
      } else runTurn();
      return answers;
    },
  };
}

/**
 * Counts the executions with input in the current interval and the previous one. Counting stops above
 * GROUP_COMMIT_FROM, because the decision needs no higher count.
 */
function openRecentExecutions(now: () => number): { readonly count: (execution: string) => number } {
  let interval = 0;
  let current = new Set<string>();
  let previous = new Set<string>();
  return {
    count: (execution) => {
      const intervalNow = Math.floor(now() / GROUP_COMMIT_ACTIVE_MS);
      if (intervalNow !== interval) {
        previous = intervalNow === interval + 1 ? current : new Set();
        current = new Set();
        interval = intervalNow;
      }
      current.add(execution);
      let count = current.size;
      for (const other of previous) {
        if (count > GROUP_COMMIT_FROM) break;
        if (!current.has(other)) count += 1;
      }
      return count;
    },
  };
}

export function attemptResult<Answer>(work: () => Answer): AttemptResult<Answer> {
  try {
    return { value: work() };
  } catch (fault) {
    return { fault };
  }
}
