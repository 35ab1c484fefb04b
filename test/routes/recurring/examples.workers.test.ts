// The examples of requests that the API's description shows for recurring actions are accepted as written.
import { expect, test } from "vitest";
import type { z } from "zod";
import * as body from "#wire/recurring/bodies.ts";
import { must } from "#test/support/api.ts";
import { here, PATH } from "./tester.ts";

const examples = (schema: z.ZodType) => (schema.meta()?.["examples"] ?? []) as readonly object[]; // the schemas list objects

test.each(examples(body.createRecurringBody))("creates %j", async (example) => {
  const { ask } = await here();
  await must(201, ask("POST", PATH, example));
});

test.each([
  ["PUT", "", body.updateRecurringBody],
  ["POST", "/pause", body.pauseRecurringBody],
  ["POST", "/trigger", body.pauseRecurringBody],
  ["POST", "/skip", body.skipRecurringBody],
] as const)("%s %s accepts its examples", async (method, path, schema) => {
  const { ask, create } = await here();
  const { recurring_id: id } = await create();
  expect(examples(schema).length).toBeGreaterThan(0);
  for (const example of examples(schema)) await must(200, ask(method, `${PATH}/${id}${path}`, example));
});
