// Findings about recurring actions over HTTP: one answer contains everything that is wrong.
import { expect, test } from "vitest";
import { must } from "#test/support/api.ts";
import { digest, here, PATH } from "./tester.ts";

const cron = ["/cron_expr", "invalid_cron"];
const provider = ["/provider", "unknown_provider"];
const wrong = { cron_expr: "61 9 * * *", provider: "emial" };

test.each<[string, object, readonly (readonly string[])[]]>([
  ["a cron expression and a provider", wrong, [cron, provider]],
  [
    "also a time zone and an unknown field",
    { ...wrong, timezone: "Europe/Nowhere", foo: 1 },
    [["/foo", "unknown_field"], ["/timezone", "custom"], cron, provider],
  ],
  [
    "an end, a frequency and an unset secret",
    {
      cron_expr: "* * * * * *",
      ends_at: "2020-01-01T00:00:00Z",
      payload: { url: "https://example.com/{{ secrets.x }}" },
    },
    [
      ["/cron_expr", "too_often"],
      ["/ends_at", "in_the_past"],
      ["/payload/url", "secret_unset"],
    ],
  ],
  [
    "only the field that its schema refuses",
    { timezone: 7, provider: 7, cron_expr: 7 },
    [
      ["/cron_expr", "invalid_type"],
      ["/provider", "invalid_type"],
      ["/timezone", "invalid_type"],
    ],
  ],
])("POST and PUT by name report %s", async (_what, over, findings) => {
  const { ask } = await here();
  for (const request of [
    ask("POST", PATH, { ...digest, ...over }),
    ask("PUT", `${PATH}/daily`, { ...digest, ...over }),
  ]) {
    const { body } = await must(400, request);
    const found = body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
    expect(found.toSorted()).toEqual(findings.toSorted());
  }
});

test("PUT by id reports everything that is wrong", async () => {
  const { ask, create } = await here();
  const { id } = await create();
  for (const [over, count] of [
    [wrong, 2],
    [{ ...wrong, timezone: "Mars" }, 3],
  ] as const)
    expect((await must(400, ask("PUT", `${PATH}/${id}`, over))).body.errors).toHaveLength(count);
});

test("an unknown service or database is refused, as in standalone actions", async () => {
  const { ask } = await here();
  const [service, database] = [
    { service: "shpo", method: "sync" },
    { database: "crn", sql: "SELECT 1" },
  ];
  for (const [type, config, field, near] of [
    ["worker", service, "service", "shop"],
    ["database", database, "database", "crm"],
  ] as const) {
    const created = await must(400, ask("POST", PATH, { ...digest, provider: type, payload: config }));
    const found = { code: `${field}_not_open`, hint: expect.stringContaining(near) };
    expect(created.body.errors).toMatchObject([{ ...found, pointer: `/payload/${field}` }]);
    const dispatched = await must(422, ask("POST", "/v1/actions", { type, config }));
    expect(dispatched.body.errors).toMatchObject([{ ...found, pointer: `/config/${field}` }]);
    await must(201, ask("POST", PATH, { ...digest, provider: type, payload: { ...config, [field]: near } }));
  }
});

test("an unknown connection is refused with the name that was probably meant", async () => {
  const { ask } = await here();
  await must(
    201,
    ask("POST", "/v1/connections", { name: "crm", provider: "http", settings: { baseUrl: "https://x.example.com" } }),
  );
  const hint = expect.stringContaining('"crm"');
  const unknown = { ...digest, provider: "crn", payload: { endpoint: "a" } };
  expect((await must(400, ask("POST", PATH, unknown))).body.errors).toMatchObject([{ pointer: "/provider", hint }]);
  const missing = { ...digest, provider: "api_call", payload: { service: "crn", endpoint: "a" } };
  expect((await must(400, ask("POST", PATH, missing))).body.errors).toMatchObject([
    { pointer: "/payload/service", code: "connection_missing", hint },
  ]);
});
