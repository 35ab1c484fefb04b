// Export over HTTP: which kinds, what other tenants cannot apply, and the limit.
import { expect, test } from "vitest";
import { CONFIGURATION_ITEMS_MAX, CONFIGURATION_WRITES_MAX } from "#schema/limits/upkeep/configuration.ts";
import { must } from "#test/support/api.ts";
import { document, tenant } from "./office.ts";

test("kinds limit an export, and an unknown kind is refused", async () => {
  const { ask, apply } = await tenant();
  await must(200, apply(document));
  const { body } = await must(200, ask("GET", "/v1/export?kinds=connections,prices"));
  expect(Object.keys(body).toSorted()).toEqual(["connections", "prices", "secrets", "warnings"]);
  expect((await must(400, ask("GET", "/v1/export?kinds=connection"))).body.errors).toMatchObject([
    { pointer: "?kinds" },
  ]);
});

test("the fields of a recurring action's action are exported and applied", async () => {
  const { ask, apply } = await tenant();
  await must(200, apply(document));
  const { body } = await must(200, ask("GET", "/v1/export?kinds=recurring"));
  const priced = body.recurring.map((item: object) => ({ ...item, priority: 4 }));
  const actions = priced.filter((item: object) => "provider" in item);
  await must(200, apply({ recurring: actions }));
  const again = await must(200, ask("GET", "/v1/export?kinds=recurring"));
  expect(again.body.recurring.filter((item: object) => "provider" in item)).toEqual(actions);
});

test("an id in a body is a warning, because other tenants do not have it", async () => {
  const { ask, apply, read } = await tenant();
  await must(200, apply(document));
  const { body: mailer } = await must(200, ask("GET", "/v1/connections/mail"));
  const config = { connection: mailer.id, channel: "#ops" };
  await must(200, ask("PUT", "/v1/alert-channels/ops", { channel: { kind: "slack", config } }));
  expect((await read()).warnings).toMatchObject([
    { pointer: "/alertChannels/0/channel/config/connection", code: "tenant_id" },
  ]);
});

test("an export of too many resources is refused with a way out", async () => {
  const { ask, apply } = await tenant();
  const named = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `t${from + n}`, text: "x" }));
  for (let at = 0; at <= CONFIGURATION_ITEMS_MAX; at += CONFIGURATION_WRITES_MAX)
    await must(200, apply({ templates: named(at, CONFIGURATION_WRITES_MAX) }));
  const refused = await must(422, ask("GET", "/v1/export"));
  expect(refused.body).toMatchObject({ code: "limit_exceeded", details: { limit: "CONFIGURATION_ITEMS_MAX" } });
  expect((await must(200, ask("GET", "/v1/export?kinds=connections"))).body.connections).toEqual([]);
  expect((await must(422, apply({ templates: [] }, "?prune=true"))).body.code).toBe("limit_exceeded");
});
