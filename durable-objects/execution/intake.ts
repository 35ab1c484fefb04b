// Intake: collects inputs for a turn. Inputs that arrive while the cell is busy wait briefly for each other, so that
// one commit serves them all. Each caller is answered after the turn.
import { GROUP_COMMIT_ACTIVE_MS, GROUP_COMMIT_FROM, GROUP_COMMIT_MS } from "#schema/limits/group-commit.ts";

/** One input's failed assertion must not fail the others of its turn. */
export type AttemptResult<Answer> = { readonly value: Answer } | { readonly fault: unknown };

export type Intake<Item, Answer> = {
  /** One promise per item, settled with the item's turn. */
  readonly enter: (items: readonly Item[]) => readonly Promise<Answer>[];
};

type Parts<Item, Answer> = {
  readonly later: (ms: number, work: () => void) => void;
  readonly now: () => number;
  /** The executions for which a call counts as load. */
  readonly whose: (items: readonly Item[]) => readonly string[];
  /** `lately`: how many executions had input in the interval just ended, this one included. */
  readonly waitsForOthers: (lately: number) => boolean;
  /** Processes all items at once. A fault it throws applies to every one of them. */
  readonly turn: (items: readonly Item[]) => readonly AttemptResult<Answer>[];
};

type Waiting<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (fault: unknown) => void;
};

export function openIntake<Item, Answer>({
  later,
  now,
  whose,
  waitsForOthers,
  turn,
}: Parts<Item, Answer>): Intake<Item, Answer> {
  let waiting: Waiting<Item, Answer>[] = [];
  let isGrouping = false;
  const recent = openRecent(now);

  const close = (): void => {
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
    enter: (items) => {
      const answers = items.map(
        (item) => new Promise<Answer>((resolve, reject) => waiting.push({ item, resolve, reject })),
      );
      const lately = Math.max(0, ...whose(items).map(recent.note));
      if (isGrouping) return answers;
      if (waitsForOthers(lately)) {
        isGrouping = true;
        later(GROUP_COMMIT_MS, close);
      } else close();
      return answers;
    },
  };
}

/** Executions with input in this interval and the one before; counted up to the number that matters. */
function openRecent(now: () => number): { readonly note: (whose: string) => number } {
  let stretch = 0;
  let [these, before] = [new Set<string>(), new Set<string>()];
  return {
    note: (whose) => {
      const current = Math.floor(now() / GROUP_COMMIT_ACTIVE_MS);
      if (current !== stretch) [before, these] = [current === stretch + 1 ? these : new Set(), new Set()];
      stretch = current;
      these.add(whose);
      let count = these.size;
      for (const each of before) {
        if (count > GROUP_COMMIT_FROM) break;
        if (!these.has(each)) count += 1;
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
