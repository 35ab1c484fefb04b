// The API's own description, for tests that go through all of it: a new route is tested by being there.
import { createApp } from "#routes/app.ts";
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
/** A body that would be accepted, from the examples in the document itself. */
export function bodyOf(endpoint: Described): unknown {
  const schema = endpoint.requestBody?.content["application/json"]?.schema;
  const named = schema?.$ref?.split("/").at(-1) ?? "";
  const whole = (document.components?.schemas?.[named] ?? schema) as Schema | undefined;
  return whole?.examples?.[0] ?? {};
}
