// Settlements of one cell on their way home. Those that come in together share a call; a slow neighbour delays nobody.
import { SETTLE_GROUP_MS, SETTLE_TRIES_MAX } from "#schema/limits/queues.ts";
import type { SettleItem, Settled } from "#schema/engine/cell.ts";
import { isUndecided, type Result } from "#schema/refusal.ts";
import type { Deps } from "#services/deps.ts";

export type Settling = {
  /** So many runs of this cell have been claimed: as many settlements may be worth waiting for. */
  readonly expect: (count: number) => void;
  /** An answer of any kind will do: accepted, or stale because somebody else was first. null: nobody could be reached. */
  readonly settle: (item: SettleItem) => Promise<Result<Settled> | null>;
  /** A run that was expected and will not come. */
  readonly miss: () => void;
};

type Answer = Result<Settled> | null;
type Waiting = { readonly item: SettleItem; readonly done: (answer: Answer) => void };

export function openSettling(deps: Deps, cell: string): Settling {
  let expected = 0;
  let waiting: Waiting[] = [];
  const send = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    expected -= batch.length;
    const answers = await call(
      deps,
      cell,
      batch.map(({ item }) => item),
    );
    for (const [index, { done }] of batch.entries()) done(answers[index] ?? null);
  };
  return {
    expect: (count) => {
      expected += count;
    },
    settle: (item) =>
      new Promise((done) => {
        waiting.push({ item, done });
        if (waiting.length >= expected) void send();
        else if (waiting.length === 1) setTimeout(() => void send(), SETTLE_GROUP_MS);
      }),
    miss: () => {
      expected -= 1;
      if (waiting.length >= expected) void send();
    },
  };
}

/** Those that broke come again with the next try; the others have been taken, and keep their answers. */
async function call(deps: Deps, cell: string, items: readonly SettleItem[]): Promise<readonly Answer[]> {
  const answers: Answer[] = items.map(() => null);
  let open = items.map((item, at) => ({ item, at }));
  for (let tries = 1; tries <= SETTLE_TRIES_MAX && open.length > 0; tries++) {
    try {
      const got = await deps.cell(cell).settleMany(open.map(({ item }) => item));
      open = open.filter(({ at }, n) => {
        const answer = got[n];
        if (!answer || (!answer.ok && isUndecided(answer.refusal))) return true;
        answers[at] = answer;
        return false;
      });
      if (open.length > 0) deps.log({ level: "error", event: "not_settled", cell, tries, count: open.length });
    } catch (fault) {
      deps.log({ level: "warn", event: "not_settled", cell, tries, count: open.length, message: String(fault) });
    }
  }
  return answers;
}
