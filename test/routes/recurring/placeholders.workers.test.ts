// Placeholders in recurring actions: Liquid in the dedup key, the payload and the variables. Names that no occurrence
// could use are refused when the recurring action is created.
import { describe, expect, test } from "vitest";
import { must, order } from "#test/support/api.ts";
import { digest, here, next, PATH } from "./tester.ts";

const both = "{{recurring_id}} {{ execution_time }} {{ execution_time | date: '%Y' }}";
const url = "https://example.com/hook";

describe("the names recurring_id and execution_time", () => {
  test("are filled in the dedup key, and accepted in the payload", async () => {
    const { create, until, cells } = await here();
    const { recurring_id: id } = await create({ dedup_key: `d ${both}`, payload: { url, payload: { both } } });
    await until(next);
    expect(cells.states()[0]?.standalone?.dedup?.key).toBe(`d ${id} ${next} 2026`);
  });

  test("are filled in a definition's variables", async () => {
    const { ask, until, cells } = await here();
    await must(201, ask("POST", "/v1/definitions", order));
    const variables = { total: 5, note: both, list: [{ id: "{{ recurring_id }}" }], $secret: "data" };
    const body = { cron_expr: "0 9 * * *", definition: "order", variables };
    const { recurring_id: id } = (await must(201, ask("POST", PATH, body))).body;
    await until("2026-11-19T09:00:00Z");
    const filled = { ...variables, note: `${id} 2026-11-19T09:00:00Z 2026`, list: [{ id }] };
    expect(cells.states()[0]?.variables).toEqual(filled);
  });
});

describe("is refused at creation:", () => {
  test.each([
    ["an unknown name in the dedup key", { dedup_key: "{{ tenant }}" }, "/dedup_key", "variable_undefined"],
    ["a broken template in the dedup key", { dedup_key: "{{ recurring_id" }, "/dedup_key", "template_invalid"],
    ["a secret in the dedup key", { dedup_key: "{{ secrets.x }}" }, "/dedup_key", "secret_misused"],
    ["an empty dedup key", { dedup_key: "{% if false %}x{% endif %}" }, "/dedup_key", "limit_exceeded"],
    [
      "an undefined variable in the payload",
      { payload: { url, payload: { a: "{{ execution.variables.missing }}" } } },
      "/payload/payload/a",
      "template_invalid",
    ],
    [
      "an unset secret in the payload",
      { payload: { url, headers: { Authorization: "Bearer {{ secrets.gone }}" } } },
      "/payload/headers/Authorization",
      "secret_unset",
    ],
  ])("%s", async (_what, over, pointer, code) => {
    const { ask } = await here();
    const { body } = await must(400, ask("POST", PATH, { ...digest, ...over }));
    expect(body.errors).toMatchObject([{ pointer, code }]);
  });

  test("an unknown name in a definition's variables", async () => {
    const { ask } = await here();
    await must(201, ask("POST", "/v1/definitions", order));
    const body = { cron_expr: "0 9 * * *", definition: "order", variables: { total: 5, a: { b: "{{ nothing }}" } } };
    const refused = await must(400, ask("POST", PATH, body));
    expect(refused.body.errors).toMatchObject([{ pointer: "/variables/a", code: "variable_undefined" }]);
  });

  test("not: a set secret, a condition that is false, and names of the started action", async () => {
    const { ask } = await here();
    await must(200, ask("PUT", "/v1/secrets/crm", { value: "abc-def-ghi" }));
    const payload = {
      url,
      headers: { A: "{{ secrets.crm }}", B: "{{ execution.correlationId }} {{ message | json }}" },
    };
    const condition = { "==": [1, 2] };
    await must(201, ask("POST", PATH, { ...digest, payload, condition, validUntil: "2026-01-01T00:00:00Z" }));
  });
});
