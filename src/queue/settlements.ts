// Settlements of one cell: runs that end together share a call, and no run waits for a slower run. A settlement without
// an answer is repeated until the attempt's deadline.
import { settleRetryMs } from "#policy/gates/batch-time.ts";
import { CELL_CALL_MS_MAX, SETTLE_GROUP_MS } from "#schema/limits/queues/consumers.ts";
import type { SettleItem, SettleAnswer } from "#schema/engine/cell.ts";
import { isUndecided, type Result } from "#schema/refusal.ts";
import type { Deps } from "#services/deps.ts";
import { withTimeout, type Later } from "./timeouts.ts";

export type Settling = {
  /** Adds `count` to the claimed runs of the cell. Settlements wait briefly, so that these runs share one call. */
  readonly expect: (count: number) => void;
  /**
   * Settles a run. Any answer of the cell counts, including a refusal because another attempt settled first. Returns
   * null if no answer arrived in time; the message is then delivered again.
   */
  readonly settle: (settlement: Settlement) => Promise<Result<SettleAnswer> | null>;
  /** Announces that a claimed run will not settle, so that no settlement waits for it. */
  readonly miss: () => void;
};

export type Settlement = {
  readonly item: SettleItem;
  readonly deadlineAt: number;
  /** Called when a settlement got no answer and will be repeated. The caller then frees the run's slot. */
  readonly delayed: () => void;
};

type Answer = Result<SettleAnswer> | null;
type Waiting = Settlement & { readonly done: (answer: Answer) => void };
type Parts = { readonly deps: Pick<Deps, "cell" | "log" | "now">; readonly later: Later; readonly cell: string };

export function openSettling({ deps, later, cell }: Parts): Settling {
  let expected = 0;
  let waiting: Waiting[] = [];

  const sendAll = (): void => {
    const batch = waiting;
    waiting = [];
    expected -= batch.length;
    if (batch.length > 0) void send(batch, 1);
  };

  const send = async (batch: readonly Waiting[], tries: number): Promise<void> => {
    const answers = await call(batch, tries);
    const again: Waiting[] = [];
    for (const [at, each] of batch.entries()) {
      const answer = answers?.[at];
      if (answer && (answer.ok || !isUndecided(answer.refusal))) each.done(answer);
      else again.push(each);
    }
    if (answers && again.length > 0) {
      deps.log({ level: "error", event: "not_settled", cell, tries, count: again.length });
    }
    for (const each of again) each.delayed();
    const now = deps.now();
    const gaps = again.map(({ deadlineAt }) => settleRetryMs(tries, now, deadlineAt));
    for (const [at, each] of again.entries()) if (gaps[at] === null) each.done(null);
    const left = again.filter((_, at) => gaps[at] !== null);
    if (left.length > 0) later(Math.min(...gaps.filter((gap) => gap !== null)), () => void send(left, tries + 1));
  };

  const call = async (batch: readonly Waiting[], tries: number): Promise<readonly Result<SettleAnswer>[] | null> => {
    try {
      const items = batch.map(({ item }) => item);
      return await withTimeout(later, CELL_CALL_MS_MAX, deps.cell(cell).settleMany(items));
    } catch (fault) {
      deps.log({ level: "warn", event: "not_settled", cell, tries, count: batch.length, message: String(fault) });
      return null;
    }
  };

  return {
    expect: (count) => {
      expected += count;
    },
    settle: (settlement) =>
      new Promise((done) => {
        waiting.push({ ...settlement, done });
        if (waiting.length >= expected) sendAll();
        else if (waiting.length === 1) later(SETTLE_GROUP_MS, sendAll);
      }),
    miss: () => {
      expected -= 1;
      if (waiting.length >= expected) sendAll();
    },
  };
}
