import { expect, it } from "vitest";
import { openWeightedCache } from "#objects/execution/weighted-cache.ts";

it("above the weight limit, the least recently used value is evicted", () => {
  const kept = openWeightedCache<string>(10);
  for (const key of ["a", "b", "c"]) kept.set(key, key.toUpperCase(), 3);
  expect(kept.get("a")).toBe("A");
  kept.set("d", "D", 4);
  expect(["a", "b", "c", "d"].map(kept.get)).toEqual(["A", undefined, "C", "D"]);
});

it("a value set again has its new weight; a deleted one has none", () => {
  const kept = openWeightedCache<string>(10);
  kept.set("a", "small", 1);
  kept.set("b", "B", 4);
  kept.set("a", "large", 6);
  expect([kept.get("a"), kept.get("b")]).toEqual(["large", "B"]);
  kept.delete("a");
  kept.delete("unknown");
  kept.set("c", "C", 6);
  expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([undefined, "B", "C"]);
});

it("a value above the limit is not cached, evicts nothing, and removes its predecessor", () => {
  const kept = openWeightedCache<string>(10);
  kept.set("a", "A", 5);
  kept.set("b", "small", 5);
  kept.set("b", "huge", 11);
  expect([kept.get("a"), kept.get("b")]).toEqual(["A", undefined]);
});

it("a value that is read repeatedly stays, and a deleted one is not returned", () => {
  const kept = openWeightedCache<string>(10);
  for (const key of ["a", "b", "c"]) kept.set(key, key.toUpperCase(), 3);
  expect([kept.get("b"), kept.get("b"), kept.get("a"), kept.get("a")]).toEqual(["B", "B", "A", "A"]);
  kept.delete("a");
  expect([kept.get("a"), kept.get("c"), kept.get("b")]).toEqual([undefined, "C", "B"]);
  kept.set("d", "D", 6);
  expect(["b", "c", "d"].map(kept.get)).toEqual(["B", undefined, "D"]);
});
