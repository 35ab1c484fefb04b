// Placement of executions: the cell of an id or key, and when an id was created.
import { anyCell, cellOfKey, LAYERS } from "#policy/pools/layout.ts";
import type { Placement } from "#schema/definition/head.ts";
import { dedupedId, keyedId, keyLetters, pooledId, poolCell, timeOrderedId, timeOf } from "#schema/ids.ts";
import { ID_TIME_SLACK_MS } from "#schema/limits/placement.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";

type Sized = Pick<Pool, "size">;

/** Without a known pool any cell will do: an execution without a key is found by its id. */
export function newExecutionId(placement: Placement, pool: Sized | null, now: number, chance: Uint8Array): string {
  const id = timeOrderedId("exe", now, chance);
  return placement === "own" ? id : pooledId(id, anyCell(pool?.size ?? 1, chance[10] ?? 0));
}

/** The same key gives the same id while the pool keeps its size, so the object itself stores its answers. */
export async function keyedExecutionId(pool: Sized, tenant: string, key: string): Promise<string> {
  return keyedIn(pool, await keyDigest(`${tenant}\n${key}`));
}

export async function keyedOwnId(tenant: string, key: string): Promise<string> {
  return keyedId("exe", await keyDigest(`${tenant}\n${key}`));
}

/** Every id that the key may have: standalone, and in the pool of every size. */
export async function keyedIdsOf(tenant: string, key: string): Promise<readonly string[]> {
  const digest = await keyDigest(`${tenant}\n${key}`);
  return [keyedId("exe", digest), ...LAYERS.map((size) => keyedIn({ size }, digest))];
}

/** A call with the same key goes to the same cell; the id identifies the key's other actions in that cell. */
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

/** As with executions: the same key is the same operation, stored by its object. */
export async function keyedOperationId(tenant: string, key: string): Promise<string> {
  return keyedId("op", await keyDigest(`${tenant}\noperation\n${key}`));
}

/** As with operations. */
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
