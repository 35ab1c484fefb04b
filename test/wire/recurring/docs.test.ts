// The request in docs/reference/recurring-actions.md: a valid body, whose payload its runner accepts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configFindings } from "#runners/draft.ts";
import { createRecurringBody } from "#wire/recurring/bodies.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/recurring-actions.md"), "utf8");
const requests = [...page.matchAll(/ -d '(\{[\s\S]*?\})'\n```/g)].map(([, body = ""]) => JSON.parse(body) as unknown);

test("the page has a request", () => {
  expect(requests.length).toBeGreaterThan(0);
});

test.each(requests)("%j", (request) => {
  const { provider = "", payload = {} } = createRecurringBody.parse(request);
  expect(configFindings(provider, payload)).toEqual([]);
});
