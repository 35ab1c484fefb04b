// A batch looks a definition up once for all items that name it. Statements are counted, not timed.
import { expect, test } from "vitest";
import { api, must, order, tenantWithKey } from "#test/support/api.ts";
import { countedDb, workOf } from "#test/support/work-counted.ts";

async function counted() {
  const { db, asked } = countedDb();
  const made = api({ db });
  const { key } = await tenantWithKey(made);
  await must(201, made.ask("POST", "/v1/definitions", { key, body: order }));
  const start = (names: readonly string[]) => {
    const executions = names.map((definition) => ({ definition }));
    return must(200, made.ask("POST", "/v1/executions/batch", { key, body: { executions } }));
  };
  const statements = async (names: readonly string[]) => (await workOf(asked, () => start(names))).statements;
  return { start, statements };
}

test("a hundred items with one unknown definition cost as many statements as one item", async () => {
  const { statements } = await counted();
  await statements(["missing"]);
  const one = await statements(["missing"]);
  expect(await statements(Array.from({ length: 100 }, () => "missing"))).toBe(one);
});

test("each item has its own answer", async () => {
  const { start } = await counted();
  const { body } = await start(["order", "missing", "order", "missing"]);
  expect(body.results).toMatchObject([
    { ok: true },
    { ok: false, problem: { code: "not_found" } },
    { ok: true },
    { ok: false, problem: { code: "not_found" } },
  ]);
});
