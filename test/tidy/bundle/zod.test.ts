// Checks that the bundle's part of zod has each value of `z` that the bundled code uses. A missing one would be undefined
// in the bundle only, because tests and types use the whole module.
import { z as whole } from "zod";
import { describe, expect, it } from "vitest";
import { z as part } from "../../../scripts/bundle/zod.ts";
import { read, tree } from "../tree.ts";

const used = new Set(
  tree
    .filter((file) => /^(src|durable-objects)\/.*\.ts$/.test(file))
    .flatMap((file) => [...read(file).matchAll(/\bz\.([A-Za-z]+)/g)].map(([, name = ""]) => name)),
);
/** Used as types only. The namespace `core` also contains the messages. */
const typesOnly = new Set(["core", "input", "output"]);
/** @hono/zod-openapi extends these. */
const ofLibraries = ["ZodError", "ZodType"];
/** Names that only types have, such as `infer`, are not in the whole module either. */
const values = [...used].filter((name) => Object.hasOwn(whole, name) && !typesOnly.has(name));

describe("the part of zod in the bundle", () => {
  it("has the values that the code uses, and no others", () => {
    expect(values.length).toBeGreaterThan(0);
    expect(Object.keys(part).toSorted()).toEqual([...new Set([...values, ...ofLibraries])].toSorted());
  });

  it("has the same values as the whole module", () => {
    expect(Object.entries(part).filter(([name, value]) => Reflect.get(whole, name) !== value)).toEqual([]);
  });
});
