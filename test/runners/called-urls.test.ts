// Tests of the runners' `calls`: every URL field of a config is in the list, unless the provider calls it.
import { expect, it } from "vitest";
import { z } from "zod";
import { absoluteUrl } from "#runners/http/request.ts";
import { runners, type AnyRunner } from "#runners/registry.ts";

const BY_PROVIDER: { readonly [type: string]: readonly string[] } = {
  push: ["/notification/image"],
  sms: ["/statusCallback"],
};

type Node = { readonly [keyword: string]: unknown };

it.each(Object.entries<AnyRunner>(runners))("%s", (type, { config, calls = [] }) => {
  const found = new Set(urlsIn(config));
  expect([...found].toSorted()).toEqual([...calls, ...(BY_PROVIDER[type] ?? [])].toSorted());
});

/** Returns JSON pointers, with * for every item of a list. */
function urlsIn(config: z.ZodType): readonly string[] {
  const schema = z.toJSONSchema(config, {
    io: "input",
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === absoluteUrl) jsonSchema.format = "uri";
    },
  });
  return walk(schema as Node, ""); // the schema is JSON
}

function walk(node: Node, at: string): readonly string[] {
  const { format, properties = {}, items } = node;
  const branches = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => (node[keyword] ?? []) as readonly Node[]);
  return [
    ...(format === "uri" ? [at] : []),
    ...Object.entries(properties as { readonly [name: string]: Node }).flatMap(([name, each]) =>
      walk(each, `${at}/${name}`),
    ),
    ...(items === undefined ? [] : walk(items as Node, `${at}/*`)),
    ...branches.flatMap((branch) => walk(branch, at)),
  ];
}
