// Alert channels over HTTP: created, updated, tested and deleted; an invalid channel is refused with pointers.
import { describe, expect, test } from "vitest";
import { listAudit } from "#catalog/audit.ts";
import { createClient } from "#client/client.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { ALERT_REF } from "#schema/definition/standalone.ts";
import { quotas } from "#schema/limits/tenants/tenant-quotas.ts";
import { ALERT_CHANNEL_BYTES_MAX } from "#schema/limits/upkeep/alert-throttle.ts";
import { api, must, tenantWithKey, type Api, type Parsed } from "#test/support/api.ts";

const real = () => api({ actionTypes, configFindings });

const hook = { kind: "webhook", config: { url: "https://ops.example.com/{{ secrets.ops_token }}" } };
const slack = { kind: "slack", config: { connection: "ops", channel: "#on-call" } };
const email = { kind: "email", config: { provider: "resend", to: ["ada@example.com"] } };

async function owner(made: Api) {
  const { tenant, key } = await tenantWithKey(made);
  const create = (body: unknown) => made.ask("POST", "/v1/alert-channels", { key, body });
  return { tenant, key, create };
}

/** The pointers and codes of the findings for this body. */
async function wrong(body: unknown): Promise<unknown> {
  const made = real();
  const { key, create } = await owner(made);
  const refused = await must(400, create(body));
  expect((await must(200, made.ask("GET", "/v1/alert-channels", { key }))).body.data).toEqual([]);
  return refused.body.errors.map(({ pointer, code }: Parsed) => [pointer, code]);
}

describe("creating", () => {
  test.each([hook, slack, email])("$kind, with its defaults", async (channel) => {
    const made = real();
    const { key, tenant, create } = await owner(made);
    const { body } = await must(201, create({ name: "ops", channel }));
    expect(body).toMatchObject({
      name: "ops",
      channel,
      severities: ["critical", "high"],
      throttle: "PT5M",
      enabled: true,
    });
    expect(body.id).toMatch(/^alc_/);
    expect((await must(200, made.ask("GET", `/v1/alert-channels/${body.id}`, { key }))).body).toEqual(body);
    expect((await must(200, made.ask("GET", "/v1/alert-channels", { key }))).body.data).toEqual([body]);
    expect(await listAudit(made.world.db, tenant, { target: body.id }, null, 9)).toMatchObject({
      value: { data: [{ verb: "alert-channel.create" }] },
    });
  });

  test("a name is unique, and free again after deletion", async () => {
    const made = real();
    const { key, create } = await owner(made);
    const { body } = await must(201, create({ name: "ops", channel: hook }));
    const taken = await must(409, create({ name: "ops", channel: slack }));
    expect(taken.body.errors).toMatchObject([{ pointer: "/name" }]);
    const dry = await must(
      409,
      made.ask("POST", "/v1/alert-channels?dryRun=true", { key, body: { name: "ops", channel: slack } }),
    );
    expect(dry.body.code).toBe("already_exists");
    await must(200, made.ask("DELETE", `/v1/alert-channels/${body.id}?reason=old`, { key }));
    await must(404, made.ask("GET", `/v1/alert-channels/${body.id}`, { key }));
    await must(201, create({ name: "ops", channel: slack }));
  });

  test("a dry run changes nothing", async () => {
    const made = real();
    const { key } = await owner(made);
    await must(200, made.ask("POST", "/v1/alert-channels?dryRun=true", { key, body: { name: "ops", channel: hook } }));
    expect((await must(200, made.ask("GET", "/v1/alert-channels", { key }))).body.data).toEqual([]);
  });

  test("a tenant has at most a fixed number of channels", async () => {
    const made = real();
    const { create } = await owner(made);
    for (let n = 0; n < quotas.alertChannels; n++) await must(201, create({ name: `c${n}`, channel: hook }));
    const refused = await must(429, create({ name: "more", channel: hook }));
    expect(refused.body).toMatchObject({
      code: "quota_exceeded",
      details: { limit: "alertChannels", max: quotas.alertChannels },
    });
  });

  test.each<[string, object, [string, string][]]>([
    ["an unknown field", { name: "a", channel: hook, severitys: [] }, [["/severitys", "unknown_field"]]],
    ["no name", { channel: hook }, [["/name", "required"]]],
    ["an unknown kind", { name: "a", channel: { kind: "pager", config: {} } }, [["/channel/kind", "invalid_value"]]],
    ["an unknown severity", { name: "a", channel: hook, severities: ["low"] }, [["/severities/0", "invalid_value"]]],
    ["no severity", { name: "a", channel: hook, severities: [] }, [["/severities", "too_small"]]],
    ["a severity twice", { name: "a", channel: hook, severities: ["high", "high"] }, [["/severities", "custom"]]],
    ["a negative throttle", { name: "a", channel: hook, throttle: "-PT5M" }, [["/throttle", "out_of_range"]]],
    ["a throttle of a day", { name: "a", channel: hook, throttle: "P1D" }, [["/throttle", "out_of_range"]]],
    ["a throttle too short", { name: "a", channel: hook, throttle: 10 }, [["/throttle", "out_of_range"]]],
    ["an invalid throttle", { name: "a", channel: hook, throttle: "often" }, [["/throttle", "invalid_format"]]],
    ["no namespaces", { name: "a", channel: hook, namespaces: [] }, [["/namespaces", "too_small"]]],
    ["no url", { name: "a", channel: { kind: "webhook", config: {} } }, [["/channel/config/url", "required"]]],
    [
      "what the alert says itself",
      { name: "a", channel: { kind: "webhook", config: { ...hook.config, payload: {} } } },
      [["/channel/config/payload", "not_allowed"]],
    ],
    [
      "a subject and a template",
      { name: "a", channel: { kind: "email", config: { ...email.config, subject: "x", templateId: "y" } } },
      [
        ["/channel/config/subject", "not_allowed"],
        ["/channel/config/templateId", "not_allowed"],
      ],
    ],
    [
      "a method without a body",
      { name: "a", channel: { kind: "webhook", config: { ...hook.config, method: "GET" } } },
      [["/channel/config/method", "custom"]],
    ],
    [
      "a broken template",
      { name: "a", channel: { kind: "webhook", config: { url: "https://x.example.com/{{ secrets." } } },
      [["/channel/config/url", "template_invalid"]],
    ],
    [
      "a field no e-mail has",
      { name: "a", channel: { kind: "email", config: { ...email.config, adress: 1 } } },
      [["/channel/config/adress", "unknown_field"]],
    ],
  ])("%s is refused", async (_name, body, errors) => expect(await wrong(body)).toEqual(errors));

  test("a channel that is too large is refused with its size", async () => {
    const made = real();
    const { create } = await owner(made);
    const config = { url: "https://x.example.com", headers: { "X-Big": "x".repeat(ALERT_CHANNEL_BYTES_MAX) } };
    const refused = await must(422, create({ name: "a", channel: { kind: "webhook", config } }));
    expect(refused.body).toMatchObject({ code: "limit_exceeded", errors: [{ pointer: "/channel" }] });
  });
});

describe("changing", () => {
  test("merges the patch, restores defaults for null, and checks the result", async () => {
    const made = real();
    const { key, create } = await owner(made);
    const { body: made1 } = await must(201, create({ name: "ops", channel: hook, namespaces: ["shop"] }));
    const at = `/v1/alert-channels/${made1.id}`;
    const change = (body: unknown, query = "") => made.ask("PATCH", `${at}${query}`, { key, body });
    const patched = await must(200, change({ throttle: 0, namespaces: null, enabled: false }, "?reason=noise"));
    expect(patched.body).toMatchObject({ throttle: 0, enabled: false, channel: hook });
    expect(patched.body.namespaces).toBeUndefined();
    expect((await must(200, change({ throttle: null }, "?dryRun=true"))).body.throttle).toBe("PT5M");
    expect((await must(200, made.ask("GET", at, { key }))).body).toEqual(patched.body);
    const refused = await must(400, change({ channel: { config: { url: null } }, throttle: "PT13H" }));
    expect(refused.body.errors.map(({ pointer }: Parsed) => pointer)).toEqual(["/channel/config/url", "/throttle"]);
    expect((await must(400, change({ sevrities: [] }))).body.errors).toMatchObject([{ pointer: "/sevrities" }]);
    await must(201, create({ name: "other", channel: slack }));
    expect((await must(409, change({ name: "other" }))).body.errors).toMatchObject([{ pointer: "/name" }]);
    expect((await must(200, made.ask("GET", at, { key }))).body).toEqual(patched.body);
  });
});

describe("testing", () => {
  test("starts one action per Idempotency-Key, marked as a test", async () => {
    const made = real();
    const { key, create } = await owner(made);
    const { body: channel } = await must(201, create({ name: "ops", channel: hook, enabled: false }));
    const send = (query = "") =>
      made.ask("POST", `/v1/alert-channels/${channel.id}/test${query}`, { key, headers: { "Idempotency-Key": "t" } });
    const dry = await must(200, send("?dryRun=true"));
    expect(dry.body).toMatchObject({ dryRun: true, repeated: false });
    const first = await must(200, send());
    expect(first.body).toMatchObject({ dryRun: false, repeated: false });
    expect((await must(200, send())).body).toMatchObject({ action: first.body.action, repeated: true });
    const read = await must(200, made.ask("GET", `/v1/executions/${first.body.action}`, { key }));
    expect(read.body).toMatchObject({ namespace: "alerts", correlationId: channel.id });
    expect(read.body.definition).toMatchObject({ name: ALERT_REF.name });
    expect(read.body.variables.alert).toMatchObject({ test: true, channel: "ops", count: 1 });
  });
});

test("the client has a method for each endpoint", async () => {
  const made = real();
  const { key } = await owner(made);
  const { alertChannels } = createClient({ baseUrl: "https://api.test", key, fetch: made.fetch });
  const channel = { kind: "email" as const, config: { provider: "resend", to: "ada@example.com" } };
  const created = await alertChannels.create({ name: "ops", channel });
  expect((await alertChannels.update(created.id, { enabled: false }, "quiet")).enabled).toBe(false);
  expect((await alertChannels.get(created.id)).enabled).toBe(false);
  expect((await alertChannels.test(created.id)).action).toMatch(/^exe_/);
  expect((await alertChannels.list()).data).toHaveLength(1);
  expect((await alertChannels.delete(created.id, "done")).id).toBe(created.id);
  expect((await alertChannels.list()).data).toEqual([]);
});
