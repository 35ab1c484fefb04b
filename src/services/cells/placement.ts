// Placement of executions: computes the cell of an id or key, and the time at which an id was created.
import { anyCell, cellOfKey, LAYERS } from "#policy/pools/layout.ts";
import type { Placement } from "#schema/definition/head.ts";
import { dedupedId, keyedId, keyLetters, pooledId, poolCell, timeOrderedId, timeOf } from "#schema/ids.ts";
import { ID_TIME_SLACK_MS } from "#schema/limits/placement.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";

type Sized = Pick<Pool, "size">;

/**
 * Returns a new id for an execution without a key. Any cell of the pool may store it, because the id names the cell;
 * without a known pool, the first cell does.
 */
export function newExecutionId(placement: Placement, pool: Sized | null, now: number, chance: Uint8Array): string {
  const id = timeOrderedId("exe", now, chance);
  return placement === "own" ? id : pooledId(id, anyCell(pool?.size ?? 1, chance[10] ?? 0));
}

/**
 * Returns the id of a keyed execution in a pool. The same key gives the same id while the pool keeps its size, so the
 * cell itself finds repeats.
 */
export async function keyedExecutionId(pool: Sized, tenant: string, key: string): Promise<string> {
  return keyedIn(pool, await keyDigest(`${tenant}\n${key}`));
}

export async function keyedOwnId(tenant: string, key: string): Promise<string> {
  return keyedId("exe", await keyDigest(`${tenant}\n${key}`));
}

/** Returns every id that the key may have: in an object of its own, and in a pool of each possible size. */
export async function keyedIdsOf(tenant: string, key: string): Promise<readonly string[]> {
  const digest = await keyDigest(`${tenant}\n${key}`);
  return [keyedId("exe", digest), ...LAYERS.map((size) => keyedIn({ size }, digest))];
}

/**
 * Returns the id for a dedup key: a call with the same key goes to the same cell. The time in the id distinguishes the
 * key's actions in that cell.
 */
export async function dedupedExecutionId(pool: Sized, tenant: string, key: string, now: number): Promise<string> {
  const digest = await keyDigest(`${tenant}\ndedup\n${key}`);
  return inCellOf(pool, dedupedId(digest, now), digest);
}

function keyedIn(pool: Sized, digest: Uint8Array): string {
  return inCellOf(pool, keyedId("exe", digest), digest);
}

function inCellOf({ size }: Sized, id: string, digest: Uint8Array): string {
  return pooledId(id, cellOfKey(size, keyLetters(digest)));
}

/** Returns the id of a keyed operation: the same key names the same operation object, which stores it. */
export async function keyedOperationId(tenant: string, key: string): Promise<string> {
  return keyedId("op", await keyDigest(`${tenant}\noperation\n${key}`));
}

/** Returns the id of a keyed recurring action: the same key names the same object. */
export async function keyedRecurringId(tenant: string, key: string): Promise<string> {
  return keyedId("rec", await keyDigest(`${tenant}\nrecurring\n${key}`));
}

async function keyDigest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text)));
}

const utf8 = new TextEncoder();

export function cellName(tenant: string, execution: string): string {
  const pooled = poolCell(execution);
  return pooled === null ? `${tenant}/${execution}` : `${tenant}/pool/${pooled}`;
}

export function createdAround(execution: string): { readonly from: number; readonly to: number } | null {
  const at = timeOf(execution);
  if (at === null) return null;
  return { from: at - ID_TIME_SLACK_MS, to: at + ID_TIME_SLACK_MS };
}
