import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "#schema/json.ts";
import { fillSecrets, holdsNoSlots, secretNames } from "#schema/secret-slots.ts";

it.each<[string, Json, boolean]>([
  ["a scalar", "{{secrets.a}}", true],
  ["fields and lists without any", { url: "https://example.com/", payload: [{ a: null }, 1] }, true],
  ["a slot", { headers: { Authorization: { $secret: ["Bearer ", { name: "crm" }] } } }, false],
  ["a slot in a list", { list: [[{ $secret: [{ name: "crm" }] }]] }, false],
  ["a field that was kept apart from a slot", { $$secret: "mine" }, false],
  ["another field with such a sign, to be sure", { $ref: "a" }, false],
])("tells whether there is anything to fill: %s", (_name, value, expected) => {
  expect(holdsNoSlots(value)).toBe(expected);
});

it("says so of nothing that filling would change", () => {
  const name = fc.constantFrom("a", "$secret", "$$secret", "$$$secret", "secret", "$");
  const { tree } = fc.letrec<{ tree: Json; object: Json }>((tie) => ({
    tree: fc.oneof({ depthSize: "small" }, fc.constantFrom(null, 1, "a"), fc.array(tie("tree")), tie("object")),
    object: fc.dictionary(name, tie("tree")).filter((made) => !Object.hasOwn(made, "$secret")),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      if (!holdsNoSlots(value)) return;
      expect(secretNames(value)).toEqual([]);
      expect(fillSecrets(value, {})).toEqual({ ok: true, value });
    }),
  );
});
