// Where an execution lives. The id alone tells: pooled ids end in `_p<cell>`, so routing looks nothing up and the
// pool can grow at any time. Own executions are a cell to themselves.
import type { Placement } from "#schema/definition/head.ts";
import { dedupedId, keyedId, pooledId, poolCell, timeOrderedId } from "#schema/ids.ts";
import { POOL_CELLS, KEYED_POOL_CELLS } from "#schema/limits/placement.ts";

export function newExecutionId(placement: Placement, now: number, chance: Uint8Array): string {
  const id = timeOrderedId("exe", now, chance);
  return placement === "own" ? id : pooledId(id, (chance[10] ?? 0) % POOL_CELLS);
}

/** The same key always gives the same id, so the object itself remembers what it answered. */
export async function keyedExecutionId(placement: Placement, tenant: string, key: string): Promise<string> {
  const digest = await keyDigest(`${tenant}\n${key}`);
  const id = keyedId("exe", digest);
  return placement === "own" ? id : pooledId(id, keyedCell(digest));
}

/** A call with the same key goes to the same cell; the id tells that cell which others have this key. */
export async function dedupedExecutionId(tenant: string, key: string, now: number): Promise<string> {
  const digest = await keyDigest(`${tenant}\ndedup\n${key}`);
  return pooledId(dedupedId(digest, now), keyedCell(digest));
}

function keyedCell(digest: Uint8Array): number {
  return (digest[31] ?? 0) % KEYED_POOL_CELLS;
}

/** As with executions: the same key is the same operation, and its object remembers it. */
export async function keyedOperationId(tenant: string, key: string): Promise<string> {
  return keyedId("op", await keyDigest(`${tenant}\noperation\n${key}`));
}

/** As with operations. */
export async function keyedRecurringId(tenant: string, key: string): Promise<string> {
  return keyedId("rec", await keyDigest(`${tenant}\nrecurring\n${key}`));
}

async function keyDigest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

export function cellName(tenant: string, execution: string): string {
  const pooled = poolCell(execution);
  return pooled === null ? `${tenant}/${execution}` : `${tenant}/pool/${pooled}`;
}
