import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalText } from "#policy/versions/diff/align.ts";
import type { VersionChange } from "#schema/definition/version-change.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import lease from "../../../../examples/lease-notice.json";
import wedding from "../../../../examples/wedding/journey.json";
import { anything as some } from "../../../kernel/random-inputs.ts";
import { compare, journey, order, put, worker } from "./definitions.ts";

const anything = { kind: "machine", name: "anything", initial: "a", ...some };

describe("the diff of any two versions", () => {
  const bases = [order, journey, worker, anything, lease, wedding];
  const pair = fc
    .tuple(fc.constantFrom(...bases), fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 6 }))
    .map(([base, mutations]) => {
      const from = structuredClone(base) as unknown as JsonObject;
      return { from, to: mutations.reduce((before, [where, how]) => mutated(before, where, how), from) };
    });

  test("contains no change without a difference, and is empty for equal versions", () => {
    fc.assert(
      fc.property(pair, ({ from, to }) => {
        expect(compare(from, from)).toEqual([]);
        const changes = compare(from, to);
        expect(changes.length === 0).toBe(canonicalText(from) === canonicalText(to));
        for (const { was, is } of changes) expect(canonicalText(was) === canonicalText(is) && was !== null).toBe(false);
      }),
    );
  });

  test("has pointers that lead to the old and the new value", () => {
    fc.assert(
      fc.property(pair, ({ from, to }) => {
        for (const { kind, fromPointer, pointer, was, is } of compare(from, to)) {
          if (kind === "reordered") continue;
          expect([kind, fromPointer === null, pointer === null]).toEqual([kind, kind === "added", kind === "removed"]);
          if (fromPointer !== null) expect(valueAt(from, fromPointer)).toEqual(was);
          if (pointer !== null) expect(valueAt(to, pointer)).toEqual(is);
        }
      }),
    );
  });

  test("names every difference", () => {
    fc.assert(
      fc.property(pair, ({ from, to }) => {
        const changes = compare(from, to);
        const left = without(from, changes, ({ fromPointer }) => fromPointer);
        const right = without(to, changes, ({ pointer }) => pointer);
        expect(canonicalText(left)).toBe(canonicalText(right));
      }),
    );
  });
});

/**
 * Returns the definition with one random change: another value, a removed value, an added value, or a different order.
 */
function mutated(whole: JsonObject, where: number, how: number): JsonObject {
  const copy = structuredClone(whole) as JsonObject;
  const places = placesOf(copy, []).filter((path) => path.length > 0 && path[0] !== "kind");
  const path = places[where % places.length] ?? [];
  const inside = path.slice(0, -1).reduce<Json>((value, name) => (value as JsonObject)[name] ?? null, copy);
  const name = path.at(-1) ?? "";
  const part = inside as Record<string, Json>;
  const values: readonly Json[] = [how, `text ${how}`, null, { target: "done" }, [{ var: "n" }], {}, []];
  const value = structuredClone(values[how % values.length] ?? null);
  if (how % 5 === 0) put(inside, [name], undefined);
  else if (how % 5 === 1 && Array.isArray(inside)) inside.unshift(value);
  else if (how % 5 === 2 && Array.isArray(inside)) inside.reverse();
  else if (how % 5 === 3 && !Array.isArray(inside)) part[`more-${how % 3}`] = value;
  else part[name] = value;
  return copy;
}

function placesOf(value: Json, path: readonly string[]): readonly (readonly string[])[] {
  const inner =
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, item]: [string, Json]) => placesOf(item, [...path, name]))
      : [];
  return [path, ...inner];
}

function valueAt(whole: Json, pointer: string): Json | undefined {
  const path = placesOf(whole, []).find((each) => jsonPointer(each) === pointer);
  return path?.reduce<Json | undefined>((value, name) => (value as JsonObject)[name], whole);
}

/** Returns the definition without the changed parts, with actions and tests ordered by name. */
function without(whole: Json, changes: readonly VersionChange[], of: (change: VersionChange) => string | null): Json {
  const cut = new Set(changes.flatMap((change) => (change.kind === "reordered" ? [] : [of(change) ?? []].flat())));
  const left = leftOf(whole, [], cut);
  return left === undefined ? null : left;
}

function leftOf(value: Json, path: readonly string[], cut: ReadonlySet<string>): Json | undefined {
  if (cut.has(jsonPointer(path))) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, item]: [string, Json]) => {
    const left = leftOf(item, [...path, name], cut);
    return left === undefined ? [] : [[name, left] as const];
  });
  // An object is empty if all of its fields changed, or if the other side lacks it.
  if (entries.length === 0) return undefined;
  if (!Array.isArray(value)) return Object.fromEntries(entries);
  const items = entries.map(([, item]) => item);
  return items.length === 1 && items[0] !== undefined && path.length > 1 ? items[0] : sorted(items, path);
}

function sorted(items: readonly Json[], path: readonly string[]): Json {
  return path.length === 1 ? items.toSorted((a, b) => (canonicalText(a) < canonicalText(b) ? -1 : 1)) : items;
}
