// Admission to a pool cell: a start is accepted if it has no key, its key is here, or this cell owns new keys of its
// range. A missing fact is returned as a question; the caller looks it up and tries again.
import { firstAsked } from "#kernel/programs/one-action.ts";
import { isOfCell, layerOf, idInCell, newPool } from "#policy/pools/layout.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import { dedupDigest, keyOf } from "#schema/ids.ts";
import type { HoldsAsk, Pool } from "#schema/placement/tenant-pool.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { Heads } from "../heads/heads.ts";
import type { OtherCells } from "./other-cells.ts";
import { keyElsewhere, notOfCell, othersSilent, poolMoved } from "./refusals.ts";
import type { PoolRole } from "./pool-role.ts";

/** Facts that one call has looked up so far. */
export type AdmissionFacts = {
  /** Which cell has the key's execution, by its id; null: no cell. Valid for the epoch in which it was looked up. */
  readonly elsewhere: Map<string, { readonly holder: number | null; readonly epoch: number }>;
  newer: Pool | null;
  isSilent: boolean;
};

export type AdmissionVerdict = "go" | Refusal | (() => Promise<void>);
export type KeyedHeads = Pick<Heads, "read" | "isUnreadable" | "sameKey">;

type Parts = {
  readonly cell: number;
  readonly heads: KeyedHeads;
  readonly now: () => number;
  readonly standing: PoolRole;
  readonly others: OtherCells;
  /** Makes all other cells yield their keys; returns the later pool if one of them is in that. */
  readonly obtain: (pool: Pool) => Promise<Pool | null>;
};

export function judgeStart(
  { cell, heads, now, standing, others, obtain }: Parts,
  item: StartItem,
  visit: AdmissionFacts,
): AdmissionVerdict {
  const { command, pool = poolOfCell(cell) } = item;
  const { execution, inputId } = command;
  const key = keyOf(execution);
  if (key === null) return "go";
  if (!isOfCell(cell, key)) return notOfCell;
  const right = standing.rightAt(pool.epoch);
  const suspects = right === "ours" ? others.mayHold(key) : [];
  if (right === "ours" && suspects.length === 0) return "go";
  if (holdsKey({ execution, inputId }, heads, now())) return "go";
  const newer = visit.newer ?? (right === "superseded" ? standing.superseded() : null);
  if (newer !== null) return poolMoved(newer);
  if (visit.isSilent) return othersSilent;
  if (right !== "ours") return async () => void (visit.newer = await obtain(pool));
  const epoch = standing.owned()?.epoch ?? pool.epoch;
  const found = visit.elsewhere.get(execution);
  // If this cell yielded and got its keys back meanwhile, another cell may have begun the key in between.
  if (found?.epoch === epoch) return found.holder === null ? "go" : keyElsewhere(found.holder);
  return async () => {
    const holder = await others.holder(suspects, (other) => ({ execution: idInCell(execution, other), inputId }));
    visit.elsewhere.set(execution, { holder, epoch });
  };
}

/** The execution that a repeated start would be answered from. An unreadable one is unknown. */
export function holdsKey({ execution, inputId }: HoldsAsk, heads: KeyedHeads, now: number): boolean {
  if (dedupDigest(execution) === null) return heads.read(execution) !== null || heads.isUnreadable(execution);
  const same = heads.sameKey(execution);
  if (same.some((id) => heads.isUnreadable(id))) return true;
  const actions = same.flatMap((id) => heads.read(id)?.state ?? []);
  return firstAsked(actions, inputId, now) !== null;
}

/** A start that names no pool is judged as if the cell's own layer were the pool. */
function poolOfCell(cell: number): Pool {
  const size = layerOf(cell) ?? newPool.size;
  return { epoch: 0, size, layers: [size] };
}
