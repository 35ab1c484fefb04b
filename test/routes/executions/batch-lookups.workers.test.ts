// A request looks each name up once, even if many items use it. The test counts statements, not time.
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
  const costOf = async (work: () => Promise<unknown>) => (await workOf(asked, work)).statements;
  const statements = (names: readonly string[]) => costOf(() => start(names));
  const post = (path: string, body: object) => made.ask("POST", path, { key, body });
  return { start, statements, costOf, post };
}

/** The statements of the second request: the first one also fills the isolate's caches. */
async function secondCosts(cost: () => Promise<number>): Promise<number> {
  await cost();
  return cost();
}

test("a hundred items with one unknown definition cost as many statements as one item", async () => {
  const { statements } = await counted();
  const one = await secondCosts(() => statements(["missing"]));
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

test("the names near an unknown one are listed once for all unknown names", async () => {
  const { statements } = await counted();
  const none = await secondCosts(() => statements(["order"]));
  const one = await statements(["order", "missing"]);
  const two = await statements(["order", "missing", "absent"]);
  expect(two - one).toBe(one - none - 1);
});

test("a hundred actions with one unknown template cost as many statements as one action", async () => {
  const { costOf, post } = await counted();
  const config = { to: "ada@example.com", subject: "Hello", provider: "resend", template: "missing" };
  const dispatch = async (count: number) => {
    const actions = Array.from({ length: count }, () => ({ type: "email", config }));
    const { body } = await must(200, post("/v1/actions/batch", { actions }));
    expect(body.results).toHaveLength(count);
    expect(body.results[count - 1].problem.errors).toMatchObject([{ code: "unknown_template" }]);
  };
  const one = await secondCosts(() => costOf(() => dispatch(1)));
  expect(await costOf(() => dispatch(100))).toBe(one);
});

test("twenty actions of a definition with one unknown template cost as many statements as one action", async () => {
  const { costOf, post } = await counted();
  const validate = async (count: number) => {
    const config = { to: "ada@example.com", template: "missing" };
    const actions = Array.from({ length: count }, (_, n) => {
      return { actionId: `mail-${n}`, type: "email", triggerState: "open", config };
    });
    const { body } = await must(200, post("/v1/definitions/validate", { ...order, actions }));
    const codes = body.findings.map(({ code }: { readonly code: string }) => code);
    expect(codes.filter((code: string) => code === "unknown_template")).toHaveLength(count);
  };
  const one = await secondCosts(() => costOf(() => validate(1)));
  expect(await costOf(() => validate(20))).toBe(one);
});
