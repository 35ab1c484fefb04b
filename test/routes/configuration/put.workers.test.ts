// Writes by name over HTTP: create, change, leave unchanged, and the preconditions. Each noun of the configuration is a row.
import { describe, expect, test } from "vitest";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";

type Body = Record<string, unknown>;
type Row = {
  readonly noun: string;
  readonly body: Body;
  readonly other: Body;
  /** The audit entries of a creation and a change. */
  readonly verbs: readonly string[];
};

const definition = {
  kind: "machine",
  initial: "open",
  states: { open: { on: { pay: "paid" } }, paid: { type: "final" } },
};
const event = {
  kind: "event",
  on: { type: "paid" },
  target: { kind: "correlate", key: "{{ request.body.key }}", type: "paid" },
};

const rows: readonly Row[] = [
  {
    noun: "connections",
    body: { provider: "http", baseUrl: "https://shop.example.com" },
    other: { provider: "http", baseUrl: "https://shop.example.org" },
    verbs: ["connection.create", "connection.update"],
  },
  {
    noun: "alert-channels",
    body: { channel: { kind: "webhook", config: { url: "https://ops.example.com" } } },
    other: { channel: { kind: "webhook", config: { url: "https://ops.example.com" } }, throttle: "PT1M" },
    verbs: ["alert-channel.create", "alert-channel.update"],
  },
  {
    noun: "policies",
    body: { kind: "quiet_hours", types: ["webhook"], window: { from: "08:00", to: "21:00", timezone: "UTC" } },
    other: { kind: "quiet_hours", types: ["webhook"], window: { from: "09:00", to: "21:00", timezone: "UTC" } },
    verbs: ["policy.create", "policy.update"],
  },
  {
    noun: "triggers",
    body: event,
    other: { ...event, labels: { team: "web" } },
    verbs: ["trigger.create", "trigger.update"],
  },
  {
    noun: "definitions",
    body: definition,
    other: { ...definition, description: "Payment" },
    verbs: ["definition.create", "definition.create"],
  },
  {
    noun: "templates",
    body: { text: "Hello" },
    other: { text: "Good day" },
    verbs: ["template.create", "template.create"],
  },
];

async function here() {
  const made = api({ actionTypes, configFindings });
  const { key } = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.ask(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
  return { ask };
}

describe.each(rows)("PUT /v1/$noun/{name}", ({ noun, body, other, verbs }) => {
  const path = `/v1/${noun}/shop`;

  test("creates, changes, and leaves an equal body unchanged", async () => {
    const { ask } = await here();
    const created = await must(201, ask("PUT", path, body));
    expect(created.body.result).toBe("created");
    const tag = created.headers.get("ETag");
    const again = await must(200, ask("PUT", path, { name: "shop", ...body }));
    expect([again.body.result, again.headers.get("ETag")]).toEqual(["unchanged", tag]);
    const changed = await must(200, ask("PUT", path, other));
    expect(changed.body.result).toBe("changed");
    expect(changed.headers.get("ETag")).not.toBe(tag);
    expect((await must(200, ask("GET", path))).headers.get("ETag")).toBe(changed.headers.get("ETag"));
    const audit = await must(200, ask("GET", "/v1/audit"));
    const written = audit.body.data
      .map(({ verb }: { verb: string }) => verb)
      .filter((verb: string) => verbs.includes(verb));
    expect(written.toSorted()).toEqual(verbs.toSorted());
  });

  test("a dry run changes nothing", async () => {
    const { ask } = await here();
    const dry = await must(200, ask("PUT", `${path}?dryRun=true`, body));
    expect(dry.body.result).toBe("created");
    await must(404, ask("GET", path));
  });

  test("honours If-None-Match and If-Match", async () => {
    const { ask } = await here();
    const absent = await must(412, ask("PUT", path, body, { "If-Match": "*" }));
    expect(absent.body).toMatchObject({ code: "precondition_failed", details: { exists: false } });
    const created = await must(201, ask("PUT", path, body, { "If-None-Match": "*" }));
    const tag = created.headers.get("ETag") ?? "";
    const exists = await must(412, ask("PUT", path, other, { "If-None-Match": "*" }));
    expect(exists.body).toMatchObject({ code: "precondition_failed", details: { exists: true } });
    const changed = await must(200, ask("PUT", path, other, { "If-Match": tag }));
    expect((await must(412, ask("PUT", path, body, { "If-Match": tag }))).body.code).toBe("precondition_failed");
    expect((await must(200, ask("GET", path))).headers.get("ETag")).toBe(changed.headers.get("ETag"));
    await must(200, ask("PUT", path, body, { "If-Match": `"0", W/${changed.headers.get("ETag")}` }));
    await must(200, ask("PUT", path, other, { "If-Match": "*" }));
  });

  test.each<[Record<string, string>, string]>([
    [{ "If-Match": "3" }, "If-Match"],
    [{ "If-None-Match": '"a"' }, "If-None-Match"],
    [{ "If-Match": "*", "If-None-Match": "*" }, "If-None-Match"],
  ])("refuses the headers %j", async (headers, pointer) => {
    const { ask } = await here();
    const refused = await must(400, ask("PUT", path, body, headers));
    expect(refused.body.errors).toMatchObject([{ pointer, code: "invalid_format" }]);
  });

  test("refuses another name than that of the path", async () => {
    const { ask } = await here();
    const { status, body: problem } = await ask("PUT", path, { ...body, name: "store" });
    expect([400, 422]).toContain(status);
    expect(problem.errors).toMatchObject([{ pointer: "/name", code: "immutable" }]);
  });
});

test("an id names an existing resource, and an unknown id creates none", async () => {
  const { ask } = await here();
  const { body } = await must(201, ask("PUT", "/v1/connections/shop", rows[0]?.body));
  const changed = await must(200, ask("PUT", `/v1/connections/${body.id}`, rows[0]?.other));
  expect(changed.body).toMatchObject({ id: body.id, name: "shop", result: "changed" });
  await must(404, ask("PUT", "/v1/connections/con_01KABCDEFGHJKMNPQRSTVWXYZ0", rows[0]?.body));
  const { body: channel } = await must(201, ask("PUT", "/v1/alert-channels/ops", rows[1]?.body));
  expect((await must(200, ask("GET", `/v1/alert-channels/${channel.id}`))).body.name).toBe("ops");
});

test.each(["definitions/shop@1", "definitions/shop@draft", "templates/shop@1"])("PUT /v1/%s is refused", async (at) => {
  const { ask } = await here();
  const refused = await must(400, ask("PUT", `/v1/${at}`, { text: "Hello" }));
  expect(refused.body.errors).toMatchObject([{ pointer: "{ref}", code: "immutable" }]);
});

test("a draft does not count as the definition, and the same content publishes it", async () => {
  const { ask } = await here();
  await must(201, ask("POST", "/v1/definitions?draft=true", { ...definition, name: "shop" }));
  const put = await must(201, ask("PUT", "/v1/definitions/shop", definition, { "If-None-Match": "*" }));
  expect(put.body).toMatchObject({ result: "created", definition: { version: 1, standing: "published" } });
});

test("prices: the tag, and the preconditions", async () => {
  const { ask } = await here();
  const body = { currency: "EUR", prices: { email: 0.001 } };
  const created = await must(200, ask("PUT", "/v1/prices", body, { "If-None-Match": "*" }));
  expect(created.body.result).toBe("created");
  const again = await must(200, ask("PUT", "/v1/prices", body));
  expect([again.body.result, again.headers.get("ETag")]).toEqual(["unchanged", created.headers.get("ETag")]);
  await must(412, ask("PUT", "/v1/prices", { ...body, currency: "USD" }, { "If-Match": '"0"' }));
  expect((await must(200, ask("GET", "/v1/prices"))).headers.get("ETag")).toBe(created.headers.get("ETag"));
});
