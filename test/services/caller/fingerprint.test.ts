// The digest that tells a repeat from a conflict.
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, fingerprint } from "#services/caller/stored-responses.ts";
import type { Json, JsonObject } from "#schema/json.ts";

const objects = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>; // jsonValue is Json

test("does not depend on the order of keys", async () => {
  await fc.assert(
    fc.asyncProperty(objects, async (value) => {
      const turned = Object.fromEntries(Object.entries(value).toReversed());
      expect(await fingerprint(turned)).toBe(await fingerprint(value));
    }),
  );
});

test("depends on everything else: the canonical text is the value again", () => {
  fc.assert(
    fc.property(fc.jsonValue() as fc.Arbitrary<Json>, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("lists keep their order", async () => {
  expect(await fingerprint([1, 2])).not.toBe(await fingerprint([2, 1]));
});
