// Tests the cells of pools and the cells of keys, for tables of cases and for random keys.
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  randomCell,
  cellNow,
  cellOfKey,
  isOfCell,
  layerOf,
  LAYERS,
  idInCell,
  newPool,
  overlappingCells,
  poolCellOf,
} from "#policy/pools/layout.ts";
import { keyedId, keyLetters, keyOf, pooledId, poolCell } from "#schema/ids.ts";

const digest = (first: number, ...more: number[]): Uint8Array =>
  new Uint8Array(32).fill(7).map((byte, n) => [first, ...more][n] ?? byte);
const keyed = (first: number): string => pooledId(keyedId("exe", digest(first)), 0);
const layers = [...LAYERS];

describe("a key belongs", () => {
  test.each<[string, number, number, number]>([
    ["in a pool of one, to the only cell", 1, 0xff, 101],
    ["in a pool of two, by the first bit: the first cell", 2, 0x7f, 102],
    ["in a pool of two, by the first bit: the second cell", 2, 0x80, 103],
    ["in a pool of 32, by five bits", 32, 0b11111_000, 163],
    ["in a pool of 64, by six bits", 64, 0b111111_00, 227],
    ["in a pool of 64, the first cell", 64, 0b000000_11, 164],
  ])("%s", (_what, size, first, cell) => {
    expect(cellOfKey(size, keyLetters(digest(first)))).toBe(cell);
  });

  it("to a cell whose range contains it, in every layer", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.constantFrom(...layers), (bytes, size) => {
        const id = pooledId(keyedId("exe", bytes), 0);
        const key = keyLetters(bytes);
        const cell = cellOfKey(size, key);
        expect([layerOf(cell), keyOf(id)]).toEqual([size, key]);
        const others = Array.from({ length: size }, (_, n) => 100 + size + n).filter((other) => isOfCell(other, key));
        expect([others, isOfCell(5, key)]).toEqual([[cell], true]);
        expect(cellNow({ ...newPool, size }, id)).toBe(cell);
      }),
    );
  });
});

describe("an execution without a key", () => {
  test.each([
    [1, 255, 101],
    [8, 8, 108],
    [8, 15, 115],
    [64, 255, 227],
  ])("in a pool of %i with random byte %i goes to cell %i", (size, chance, cell) => {
    expect(randomCell(size, chance)).toBe(cell);
  });

  it("stays in its cell", () => {
    expect(cellNow(newPool, "exe_01KABCDEFGHJKMNPQRSTVWXYZ0_p101")).toBeNull();
  });
});

describe("overlappingCells", () => {
  test.each<[string, readonly number[], number, readonly number[]]>([
    ["none if the pool had one size only", [1], 101, []],
    ["the ancestors of a cell", [1, 2, 4, 8], 109, [101, 102, 104]],
    ["the descendants of a cell", [1, 2, 4], 103, [101, 106, 107]],
  ])("are %s", (_what, used, cell, others) => {
    expect(overlappingCells({ epoch: 9, size: 1, layers: used }, cell)).toEqual(others);
  });

  it("returns exactly the cells of other layers that share a key with the cell", () => {
    const pool = { epoch: 1, size: 1, layers };
    for (const size of layers) {
      for (let cell = 100 + size; cell < 100 + 2 * size; cell++) {
        const led = new Set<number>();
        for (let bucket = 0; bucket < 64; bucket++) {
          const key = keyLetters(digest(bucket << 2));
          if (cellOfKey(size, key) !== cell) continue;
          for (const layer of layers) if (layer !== size) led.add(cellOfKey(layer, key));
        }
        expect(new Set(overlappingCells(pool, cell))).toEqual(led);
      }
    }
  });
});

test.each([
  [0, null],
  [100, null],
  [101, 1],
  [227, 64],
  [228, null],
])("cell %i is in layer %s", (cell, layer) => {
  expect(layerOf(cell)).toBe(layer);
});

test.each([
  ["acme/pool/101", 101],
  ["acme/pool/0", null],
  ["acme/pool/99", null],
  ["acme/exe_ada", null],
  ["acme/pool/1/2", null],
])("the object %s is cell %s", (name, cell) => {
  expect(poolCellOf(name)).toBe(cell);
});

it("the id of a key in another cell differs in the number only; an execution with its own cell does not move", () => {
  expect(poolCell(idInCell(keyed(3), 227))).toBe("227");
  expect(idInCell(idInCell(keyed(3), 227), 0)).toBe(keyed(3));
  expect(idInCell("exe_ada", 101)).toBe("exe_ada");
});
