// Computes the cells of a pool, and the cell of a key. Cells are numbered like a binary heap: a pool of size s has the
// cells 100 + s to 100 + 2s - 1, its layer. A pool that grows and shrinks therefore uses the same numbers again. The
// first six bits of the key's digest determine the cell. The digest is part of the id, so each cell has a range of ids.
import { base32Value, base32Digit, keyOf, poolCell } from "#schema/ids.ts";
import { POOL_SIZE_MAX } from "#schema/limits/pool-cells.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";

const FIRST = 100;
const BUCKETS = POOL_SIZE_MAX;
export const LAYERS = [1, 2, 4, 8, 16, 32, POOL_SIZE_MAX] as const;

/** The pool of a new tenant, which has one cell. */
export const newPool: Pool = { epoch: 0, size: 1, layers: [1] };

/** Returns a cell for an execution without a key. `chance`: a random byte that selects the cell. */
export function randomCell(size: number, chance: number): number {
  return FIRST + size + (chance % size);
}

/** Returns the cell of a key. `key`: the digest of the key, in the form that ids contain. */
export function cellOfKey(size: number, key: string): number {
  return cellIn(size, bucketOf(key));
}

/** Returns the cell that the execution's key has in the current pool; null if the execution has no key. */
export function cellNow({ size }: Pool, execution: string): number | null {
  const key = keyOf(execution);
  return key === null ? null : cellOfKey(size, key);
}

/**
 * Returns the cells of other layers whose ranges overlap the range of this cell. They may have stored its keys when the
 * pool had another size.
 */
export function overlappingCells({ layers }: Pool, cell: number): readonly number[] {
  const ownRange = bucketRangeOf(cell);
  return layers
    .filter((layer) => layer !== layerOf(cell))
    .flatMap((layer) => cellsOf(layer).filter((other) => overlap(bucketRangeOf(other), ownRange)));
}

/** Returns the range of keys of a cell. `to` is exclusive; null if the range has no upper end. */
export function keysOf(cell: number): { readonly from: string; readonly to: string | null } {
  const [first, beyond] = bucketRangeOf(cell);
  return { from: boundary(first), to: beyond === BUCKETS ? null : boundary(beyond) };
}

/**
 * Returns whether the key is in the range of the cell. For other keys, the cell does not query the cells of other
 * layers.
 */
export function isOfCell(cell: number, key: string): boolean {
  const { from, to } = keysOf(cell);
  return key >= from && (to === null || key < to);
}

/** Returns the layer of a cell, named by its pool size; null if there is no cell with this number. */
export function layerOf(cell: number): number | null {
  return LAYERS.find((size) => cell >= FIRST + size && cell < FIRST + 2 * size) ?? null;
}

/** Returns the cell number in an object's name; null if the object is not the cell of a pool. */
export function poolCellOf(name: string): number | null {
  const [, number] = /^[^/]+\/pool\/(\d{1,4})$/.exec(name) ?? [];
  return number === undefined || layerOf(Number(number)) === null ? null : Number(number);
}

/** Returns the id that the execution's key would have in another cell. */
export function idInCell(execution: string, cell: number): string {
  const number = poolCell(execution);
  return number === null ? execution : `${execution.slice(0, -number.length)}${cell}`;
}

/** A range of buckets without its end. A bucket is the number that the first six bits of a key give. */
type BucketRange = readonly [first: number, beyond: number];

function bucketRangeOf(cell: number): BucketRange {
  const layer = layerOf(cell);
  if (layer === null) return [0, BUCKETS];
  const width = BUCKETS / layer;
  const n = cell - FIRST - layer;
  return [n * width, (n + 1) * width];
}

function overlap(a: BucketRange, b: BucketRange): boolean {
  return a[0] < b[1] && b[0] < a[1];
}

function cellsOf(layer: number): readonly number[] {
  return Array.from({ length: layer }, (_, n) => FIRST + layer + n);
}

function cellIn(size: number, bucket: number): number {
  return FIRST + size + Math.floor((bucket * size) / BUCKETS);
}

/**
 * Returns the first six bits of the key. A base32 character has five bits, so the sixth bit comes from the second
 * character.
 */
function bucketOf(key: string): number {
  return base32Value(key, 0) * 2 + (base32Value(key, 1) >> 4);
}

/** Returns the lowest key of a bucket. */
function boundary(bucket: number): string {
  return `${base32Digit(bucket >> 1)}${base32Digit((bucket & 1) << 4)}`;
}
