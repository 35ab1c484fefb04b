// The fingerprint that distinguishes a repeated request from a conflicting one.
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, fingerprint } from "#services/caller/fingerprint.ts";
import type { Json, JsonObject } from "#schema/json.ts";

const objects = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>; // jsonValue is Json

test("the fingerprint does not depend on the order of fields", async () => {
  await fc.assert(
    fc.asyncProperty(objects, async (value) => {
      const turned = Object.fromEntries(Object.entries(value).toReversed());
      expect(await fingerprint(turned)).toBe(await fingerprint(value));
    }),
  );
});

test("the canonical text parses to the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue() as fc.Arbitrary<Json>, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("the order of list items changes the fingerprint", async () => {
  expect(await fingerprint([1, 2])).not.toBe(await fingerprint([2, 1]));
});
