// Tests of the examples in the API's description: each one fits the schema that it is an example of.
import { expect, it } from "vitest";
import { apiDocument } from "#test/tidy/generated/operations.ts";
import { errorsAt, escaped } from "./schemas.ts";

type Example = { readonly at: string; readonly value: unknown };

/** All examples below the node, each with the pointer to its schema. */
function examplesIn(node: unknown, at: string): readonly Example[] {
  if (typeof node !== "object" || node === null) return [];
  const { examples, example } = node as { readonly examples?: unknown; readonly example?: unknown };
  const isSchema = !at.endsWith("/properties");
  const own = isSchema && Array.isArray(examples) ? examples : [];
  const single = isSchema && example !== undefined ? [example] : [];
  const inside = Object.entries(node).filter(([name]) => !isSchema || (name !== "examples" && name !== "example"));
  return [
    ...[...own, ...single].map((value) => ({ at, value })),
    ...inside.flatMap(([name, member]) => examplesIn(member, `${at}/${encodeURI(escaped(name))}`)),
  ];
}

const { components, paths } = apiDocument() as unknown as { readonly components: object; readonly paths: object }; // both are in every description
const examples = [...examplesIn(components, "/components"), ...examplesIn(paths, "/paths")];

it("finds the examples", () => expect(examples.length).toBeGreaterThan(500));

it("each example fits its schema", () => {
  const wrong = examples.flatMap(({ at, value }) => errorsAt(at, value).map((error) => `${at}: ${error}`));
  expect(wrong).toEqual([]);
});
