// The API's own description, for tests that go through all of it: a new route is tested by being there.
import { expect } from "vitest";
import { createApp } from "#routes/app.ts";
import { refusalsOf } from "#routes/http/endpoint-refusals.ts";
import { openApiDocument } from "#routes/reference/openapi.ts";
import { actionTypes } from "#runners/registry.ts";
import { world } from "#test/support/catalog.ts";

export type Described = {
  operationId: string;
  security?: readonly unknown[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Schema = { $ref?: string; examples?: unknown[] };

const document = openApiDocument(
  createApp(() => ({ ...world(), live: async () => new Response() })),
  actionTypes,
);
export const endpoints = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Described>).map(([method, described]) => ({
    path,
    method: method.toUpperCase(),
    ...described,
    isGuarded: (described.security ?? []).length > 0,
  })),
);
/** Every refusal to every test is one that the document names. Addresses that nobody describes are for nobody to refuse. */
export function expectNamed(method: string, path: string, { code }: { readonly code: string }): void {
  const [address = ""] = path.split("?");
  const matching = endpoints.filter((each) => each.method === method && patternOf(each.path).test(address));
  // What is written out goes before what a part of a path may be.
  const [found] = matching.toSorted((one, other) => one.path.split("{").length - other.path.split("{").length);
  if (found === undefined) return;
  const { operationId: id, isGuarded: hasKey, requestBody } = found;
  const named = refusalsOf({ id, method, hasKey, hasBody: requestBody !== undefined });
  const message = `${id} refuses with ${code}: name it in src/routes/http/endpoint-refusals.ts`;
  expect(named, message).toContain(code);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}

/** A body that would be accepted, from the examples in the document itself. */
export function bodyOf(endpoint: Described): unknown {
  const schema = endpoint.requestBody?.content["application/json"]?.schema;
  const named = schema?.$ref?.split("/").at(-1) ?? "";
  const whole = (document.components?.schemas?.[named] ?? schema) as Schema | undefined;
  return whole?.examples?.[0] ?? {};
}
