// Pool start decision: a cell of a pool accepts a start that has no key, or whose key it already has, or whose key
// range it owns. If a fact is missing, the decision is a lookup: the caller runs it and decides again.
import { actionOfDedupKey } from "#kernel/programs/one-action.ts";
import { idInCell, isOfCell, layerOf, newPool } from "#policy/pools/layout.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import { dedupDigest, keyOf } from "#schema/ids.ts";
import type { KeyQuery, Pool } from "#schema/placement/tenant-pool.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { Heads } from "../heads/heads.ts";
import type { OtherCells } from "./other-cells.ts";
import { keyElsewhere, notOfCell, otherCellsUnavailable, poolMoved } from "./refusals.ts";
import type { PoolRole } from "./pool-role.ts";

/** The facts that one call has looked up so far. */
export type AdmissionFacts = {
  /**
   * By execution id: the other cell that has its key, or null if no cell has it. An entry is valid only for the epoch
   * of its lookup.
   */
  readonly elsewhere: Map<string, { readonly holder: number | null; readonly epoch: number }>;
  /** A later pool that another cell returned; null if no cell returned one. */
  newer: Pool | null;
  /** True after another cell has not answered. */
  isCellUnavailable: boolean;
};

/** "go": accept the start. A function: look up a missing fact, and decide again. */
export type AdmissionVerdict = "go" | Refusal | (() => Promise<void>);
export type KeyedHeads = Pick<Heads, "read" | "isUnreadable" | "sameDedupKey">;

type Parts = {
  /** The number of this cell. */
  readonly cell: number;
  readonly heads: KeyedHeads;
  readonly now: () => number;
  readonly role: PoolRole;
  readonly others: OtherCells;
  /**
   * Makes all other cells yield their keys. Returns null if all have yielded. Returns the later pool if a cell already
   * belongs to one.
   */
  readonly obtainKeys: (pool: Pool) => Promise<Pool | null>;
};

export function judgeStart(
  { cell, heads, now, role, others, obtainKeys }: Parts,
  item: StartItem,
  facts: AdmissionFacts,
): AdmissionVerdict {
  const { command, pool = poolOfCell(cell) } = item;
  const { execution, inputId } = command;
  const key = keyOf(execution);
  if (key === null) return "go";
  if (!isOfCell(cell, key)) return notOfCell;
  const ownership = role.ownershipAt(pool.epoch);
  const suspects = ownership === "ours" ? others.mayHold(key) : [];
  if (ownership === "ours" && suspects.length === 0) return "go";
  if (holdsKey({ execution, inputId }, heads, now())) return "go";
  const newer = facts.newer ?? (ownership === "superseded" ? role.superseded() : null);
  if (newer !== null) return poolMoved(newer);
  if (facts.isCellUnavailable) return otherCellsUnavailable;
  if (ownership !== "ours") return async () => void (facts.newer = await obtainKeys(pool));
  const epoch = role.owned()?.epoch ?? pool.epoch;
  const lookup = facts.elsewhere.get(execution);
  // An answer of an earlier epoch is not used, because this cell may have yielded its keys and obtained them again
  // since then.
  if (lookup?.epoch === epoch) return lookup.holder === null ? "go" : keyElsewhere(lookup.holder);
  return async () => {
    const holder = await others.findHolder(suspects, (other) => ({ execution: idInCell(execution, other), inputId }));
    facts.elsewhere.set(execution, { holder, epoch });
  };
}

/**
 * True if the cell has the execution that answers a repeated start. An unreadable execution counts as well, because it
 * may be that execution.
 */
export function holdsKey({ execution, inputId }: KeyQuery, heads: KeyedHeads, now: number): boolean {
  if (dedupDigest(execution) === null) return heads.read(execution) !== null || heads.isUnreadable(execution);
  const sameKey = heads.sameDedupKey(execution);
  if (sameKey.some((id) => heads.isUnreadable(id))) return true;
  const actions = sameKey.flatMap((id) => heads.read(id)?.state ?? []);
  return actionOfDedupKey(actions, inputId, now) !== null;
}

/** The pool that applies if a start names no pool. It has only the layer of this cell. */
function poolOfCell(cell: number): Pool {
  const size = layerOf(cell) ?? newPool.size;
  return { epoch: 0, size, layers: [size] };
}
