// Placement of executions: chooses the id of a new execution, and with it its cell; finds the cell of an id; and
// redirects a start to the cell that a refusal names.
import { randomCell, cellNow, cellOfKey, LAYERS, idInCell } from "#policy/pools/layout.ts";
import type { Placement } from "#schema/definition/head.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import { dedupedId, keyedId, keyLetters, keyOf, pooledId, poolCell, timeOrderedId, timeOf } from "#schema/ids.ts";
import { ID_TIME_SLACK_MS } from "#schema/limits/pool-cells.ts";
import { poolMove, type Pool } from "#schema/placement/tenant-pool.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { cachePool, tenantSettingsOf, type TenantSettingsDeps } from "../quotas/tenant-settings.ts";

/** The index of the random byte that chooses the cell. The bytes before it are part of the id. */
const CELL_BYTE = 10;

type Sized = Pick<Pool, "size">;

/**
 * The id of a new execution. `pool` is the tenant's pool for which the id was chosen; null if the execution has an
 * object of its own.
 */
export type PlacedExecution = { readonly execution: string; readonly pool: Pool | null };

/**
 * Chooses an id in the tenant's pool, whose size this isolate has cached. `idForKey` returns the id of a keyed request
 * in a pool of that size; null if the request has no key. A keyed request is refused if the pool is unknown, because
 * another cell may have stored the key.
 */
export async function placeInPool(
  deps: TenantSettingsDeps & Pick<Deps, "randomBytes">,
  tenant: string,
  idForKey: ((pool: Pool) => Promise<string>) | null,
): Promise<Result<PlacedExecution>> {
  const { pool } = await tenantSettingsOf(deps, tenant);
  if (idForKey === null)
    return accept({ execution: newExecutionId("pooled", pool, deps.now(), deps.randomBytes(CELL_BYTE + 1)), pool });
  return pool === null ? refuse(poolUnknown) : accept({ execution: await idForKey(pool), pool });
}

const poolUnknown = {
  code: "unavailable",
  message: "The catalog does not answer, so the cell of this key cannot be looked up.",
  hint: "Send the same request again with the same Idempotency-Key.",
  retryAfterS: 1,
} as const;

/**
 * Returns the same start for another cell, if the refusal names one. Returns null if it names none; the refusal is then
 * the client's answer.
 */
export function moveStart<Start extends StartItem>(
  tenant: string,
  start: Start,
  { details, code }: Refusal,
): Start | null {
  const { execution } = start.command;
  const move = poolMove.safeParse(details);
  if (move.success) {
    if (move.data.why === "key_elsewhere") return startInCell(start, move.data.cell);
    const { pool } = move.data;
    cachePool(tenant, pool);
    const cell = cellNow(pool, execution);
    return cell === null ? null : { ...startInCell(start, cell), pool };
  }
  // The pool has changed size since the first start with this key. The subject's object names the id of that first
  // start, so the start is repeated in the cell of that id.
  const enrolled = code === "already_enrolled" ? details?.execution : undefined;
  if (typeof enrolled !== "string" || enrolled === execution) return null;
  if (keyOf(enrolled) === null || keyOf(enrolled) !== keyOf(execution)) return null;
  // `keyOf` accepts only ids that end with the number of a pool cell.
  return startInCell(start, Number(poolCell(enrolled)));
}

function startInCell<Start extends StartItem>(start: Start, cell: number): Start {
  const { command } = start;
  return { ...start, command: { ...command, execution: idInCell(command.execution, cell) } };
}

/**
 * Returns a new id for an execution without a key. Any cell of the pool may store the execution, because the id itself
 * contains the cell's number. If the pool is unknown, the first cell is chosen.
 */
export function newExecutionId(placement: Placement, pool: Sized | null, now: number, random: Uint8Array): string {
  const id = timeOrderedId("exe", now, random);
  return placement === "own" ? id : pooledId(id, randomCell(pool?.size ?? 1, random[CELL_BYTE] ?? 0));
}

/**
 * Returns the id of a keyed execution in a pool. While the pool keeps its size, the same key gives the same id, so the
 * cell itself detects repeats.
 */
export async function keyedExecutionId(pool: Sized, tenant: string, key: string): Promise<string> {
  return keyedIdForDigest(pool, await keyDigest(`${tenant}\n${key}`));
}

export async function keyedOwnId(tenant: string, key: string): Promise<string> {
  return keyedId("exe", await keyDigest(`${tenant}\n${key}`));
}

/**
 * Returns every id that the key may have given: the id of an execution with its own object, and one id for each
 * possible size of the pool.
 */
export async function keyedIdsOf(tenant: string, key: string): Promise<readonly string[]> {
  const digest = await keyDigest(`${tenant}\n${key}`);
  return [keyedId("exe", digest), ...LAYERS.map((size) => keyedIdForDigest({ size }, digest))];
}

/**
 * Returns the id of an action with a dedup key. Every call with the same key goes to the same cell. The time in the id
 * distinguishes the actions of one key in that cell.
 */
export async function dedupedExecutionId(pool: Sized, tenant: string, key: string, now: number): Promise<string> {
  const digest = await keyDigest(`${tenant}\ndedup\n${key}`);
  return pooledIdForDigest(pool, dedupedId(digest, now), digest);
}

function keyedIdForDigest(pool: Sized, digest: Uint8Array): string {
  return pooledIdForDigest(pool, keyedId("exe", digest), digest);
}

function pooledIdForDigest({ size }: Sized, id: string, digest: Uint8Array): string {
  return pooledId(id, cellOfKey(size, keyLetters(digest)));
}

/**
 * Returns the id of a keyed operation. The same key always names the same operation object, which stores the operation.
 */
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
