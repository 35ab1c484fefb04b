// Computes the cells of a pool, and the cell of a key. Layers are numbered like a binary heap: a pool of size s has the
// cells 100 + s to 100 + 2s - 1. So growing and shrinking reuse numbers. The first six bits of a key's digest, which is
// part of the id, determine its cell. So each cell has a range of ids.
import { base32Value, base32Digit, keyOf, poolCell } from "#schema/ids.ts";
import { POOL_SIZE_MAX } from "#schema/limits/pool-cells.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";

const FIRST = 100;
const BUCKETS = POOL_SIZE_MAX;
export const LAYERS = [1, 2, 4, 8, 16, 32, POOL_SIZE_MAX] as const;

/** The pool of a new tenant: one cell. */
export const newPool: Pool = { epoch: 0, size: 1, layers: [1] };

/** Returns a random cell for an execution without a key. `chance`: a random byte. */
export function randomCell(size: number, chance: number): number {
  return FIRST + size + (chance % size);
}

/** Returns the cell of a key. `key`: the digest as ids contain it. */
export function cellOfKey(size: number, key: string): number {
  return cellIn(size, bucketOf(key));
}

/** Returns the cell of an execution's key in the current pool; null if the execution has no key. */
export function cellNow({ size }: Pool, execution: string): number | null {
  const key = keyOf(execution);
  return key === null ? null : cellOfKey(size, key);
}

/** Returns cells of other layers that may have stored keys of this cell. */
export function overlappingCells({ layers }: Pool, cell: number): readonly number[] {
  const ownRange = bucketRangeOf(cell);
  return layers
    .filter((layer) => layer !== layerOf(cell))
    .flatMap((layer) => cellsOf(layer).filter((other) => overlap(bucketRangeOf(other), ownRange)));
}

/** Returns the range of keys of a cell. `to` is exclusive; null: no upper end. */
export function keysOf(cell: number): { readonly from: string; readonly to: string | null } {
  const [first, beyond] = bucketRangeOf(cell);
  return { from: boundary(first), to: beyond === BUCKETS ? null : boundary(beyond) };
}

/** Returns whether the key belongs to the cell's range. A cell queries cells of other layers only for these keys. */
export function isOfCell(cell: number, key: string): boolean {
  const { from, to } = keysOf(cell);
  return key >= from && (to === null || key < to);
}

/** Returns the layer of a cell; null if no pool has a cell with this number. */
export function layerOf(cell: number): number | null {
  return LAYERS.find((size) => cell >= FIRST + size && cell < FIRST + 2 * size) ?? null;
}

/** Returns the cell number in an object's name; null if the object is no pool cell. */
export function poolCellOf(name: string): number | null {
  const [, number] = /^[^/]+\/pool\/(\d{1,4})$/.exec(name) ?? [];
  return number === undefined || layerOf(Number(number)) === null ? null : Number(number);
}

/** Returns the execution id with the same key in another cell. */
export function idInCell(execution: string, cell: number): string {
  const number = poolCell(execution);
  return number === null ? execution : `${execution.slice(0, -number.length)}${cell}`;
}

/** A range of buckets, the end exclusive. A bucket is the value of a key's first six bits. */
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
 * Returns the first six bits of the key. A base32 character has five bits, so the sixth is the first bit of the second
 * character.
 */
function bucketOf(key: string): number {
  return base32Value(key, 0) * 2 + (base32Value(key, 1) >> 4);
}

/** Returns the first key of a bucket. */
function boundary(bucket: number): string {
  return `${base32Digit(bucket >> 1)}${base32Digit((bucket & 1) << 4)}`;
}
