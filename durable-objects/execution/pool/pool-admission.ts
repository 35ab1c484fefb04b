// Pool admission: accepts a start with a key only if no other cell can have begun that key, whatever size the pool had
// meanwhile. Other starts pass. Nothing is awaited between the last check and acceptance, and a cell that yields
// answers after everything accepted earlier is stored: so each key begins in one cell.
import { keysOf } from "#policy/pools/layout.ts";
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { keyOf } from "#schema/ids.ts";
import { POOL_TRIES_MAX } from "#schema/limits/pool-cells.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Pool, PoolCell, Superseded, SupersedeAsk } from "#schema/placement/tenant-pool.ts";
import type { CellStorage } from "../storage.ts";
import { holdsKey, judgeStart, type KeyedHeads, type AdmissionVerdict, type AdmissionFacts } from "./judge-start.ts";
import { openOtherCells } from "./other-cells.ts";
import { othersSilent } from "./refusals.ts";
import { openPoolRole } from "./pool-role.ts";

type Start = (items: readonly StartItem[]) => Promise<readonly Result<Reply>[]>;

export type PoolAdmission = PoolCell & {
  readonly start: Start;
  /** Until when an empty cell must keep its role; null if it may be deleted. */
  readonly keptUntil: () => number | null;
};

export type PoolParts = {
  /** The cell's number. */
  readonly cell: number;
  readonly storage: Pick<CellStorage, "readPool" | "writePool" | "keyed">;
  readonly heads: KeyedHeads;
  readonly now: () => number;
  /** The maximum number in one answer. */
  readonly keysPerPage: number;
  readonly ask: (cell: number) => PoolCell;
  readonly start: Start;
  /** Called after it yielded: an empty cell wakes when it may forget that. */
  readonly gaveWay: (until: number) => void;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

export function openPoolAdmission(poolParts: PoolParts): PoolAdmission {
  const { cell, storage, heads, now, keysPerPage, ask, start, gaveWay, log } = poolParts;
  const standing = openPoolRole(storage);
  const fault = (cause: unknown): void => log({ level: "warn", event: "pool_cell_silent", message: String(cause) });
  const others = openOtherCells({ cell, ask, fault, wet: standing.others() });
  const entering = new Set<Promise<unknown>>();
  let obtaining: Promise<Pool | null> | null = null;

  const obtained = async (pool: Pool): Promise<Pool | null> => {
    const newer = await others.supersede(pool);
    if (newer === null) standing.own(pool, others.wet());
    return newer;
  };
  const obtain = (pool: Pool): Promise<Pool | null> => {
    obtaining ??= obtained(pool).finally(() => (obtaining = null));
    return obtaining;
  };
  const parts = { cell, heads, now, standing, others, obtain };

  const enter: Start = (items) => {
    const entered = start(items);
    const settled = entered.catch(() => {}).finally(() => entering.delete(settled));
    entering.add(settled);
    return entered;
  };

  const readOn = (): void => {
    const owned = standing.owned();
    if (owned !== null) others.readOn(owned, () => standing.keepOthers(others.wet()));
  };

  const supersede = async ({ cell: asking, pool, after }: SupersedeAsk): Promise<Superseded> => {
    const owned = standing.owned();
    if (owned !== null && owned.epoch >= pool.epoch) return { kind: "stale", pool: owned };
    if (standing.giveWay(pool, now())) gaveWay(standing.keptUntil(now()) ?? now());
    await Promise.all(entering);
    const ids = storage.keyed(keysOf(asking), after, keysPerPage);
    const keys = [...new Set(ids.flatMap((id) => keyOf(id) ?? []))];
    return { kind: "taken", keys, after: ids.length < keysPerPage ? null : (ids.at(-1) ?? null) };
  };

  return {
    start: async (items) => {
      const visit: AdmissionFacts = { elsewhere: new Map(), newer: null, isSilent: false };
      for (let tries = 0; ; tries++) {
        const verdicts = items.map((item) => judgeStart(parts, item, visit));
        const questions = verdicts.flatMap((verdict) => (typeof verdict === "function" ? [verdict] : []));
        if (questions.length === 0 || tries === POOL_TRIES_MAX) {
          readOn();
          return letIn(enter, items, verdicts);
        }
        await Promise.all(questions.map((question) => question())).catch((cause: unknown) => {
          visit.isSilent = true;
          fault(cause);
        });
      }
    },
    supersede,
    holds: async (asked) => holdsKey(asked, heads, now()),
    keptUntil: () => standing.keptUntil(now()),
  };
}

async function letIn(
  enter: Start,
  items: readonly StartItem[],
  verdicts: readonly AdmissionVerdict[],
): Promise<readonly Result<Reply>[]> {
  const going = items.filter((_item, n) => verdicts[n] === "go");
  const answers = (going.length === 0 ? [] : await enter(going)).values();
  return verdicts.map((verdict): Result<Reply> => {
    if (verdict === "go") return answers.next().value ?? refuse(othersSilent);
    return refuse(typeof verdict === "function" ? othersSilent : verdict);
  });
}
