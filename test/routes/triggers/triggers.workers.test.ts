// Triggers over HTTP: created, found, updated, enabled, rotated; all findings of an invalid trigger at once.
import { describe, expect, test } from "vitest";
import { api, must, order, tenantWithKey } from "#test/support/api.ts";

const github = { scheme: "github", secret: "github_hook" };
const pushes = { name: "pushes", kind: "webhook", verify: github, target: { kind: "start", definition: "order" } };

async function office() {
  const made = api();
  const { tenant, key } = await tenantWithKey(made);
  await must(201, made.ask("POST", "/v1/definitions", { key, body: order }));
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    made.ask(method, `/v1/triggers${path}`, { key, headers, ...(body === undefined ? {} : { body }) });
  return { ...made, tenant, key, trigger: ask };
}

describe("a trigger", () => {
  test("is created, read, listed by filter, updated and deleted", async () => {
    const { trigger } = await office();
    const made = await must(201, trigger("POST", "", { ...pushes, labels: { team: "web" }, namespace: "ci" }));
    expect(made.body).toMatchObject({
      name: "pushes",
      kind: "webhook",
      namespace: "ci",
      enabled: true,
      disabled: null,
      tokenGeneration: 1,
      rateLimit: { perMinute: 600, burst: 100 },
      url: expect.stringMatching(/^https:\/\/api\.test\/hooks\//),
    });
    await must(201, trigger("POST", "", { ...pushes, name: "others", labels: { team: "ops" } }));
    const names = async (query: string) =>
      (await must(200, trigger("GET", query))).body.data.map(({ name }: { name: string }) => name);
    expect(await names("")).toEqual(["others", "pushes"]);
    expect(await names("?label=team%3Dweb")).toEqual(["pushes"]);
    expect(await names("?label=team&namespace=ci")).toEqual(["pushes"]);
    expect(await names("?kind=poller")).toEqual([]);
    expect((await must(200, trigger("GET", "?label=team%3Dweb"))).body.data[0]).not.toHaveProperty("state");
    expect((await must(200, trigger("GET", "?label=team%3Dweb&state=true"))).body.data).toMatchObject([
      { name: "pushes", state: { pending: 0, published: 0, stuck: 0, poller: null } },
    ]);
    const page = await must(200, trigger("GET", "?limit=1"));
    expect((await must(200, trigger("GET", `?limit=1&cursor=${page.body.nextCursor}`))).body).toMatchObject({
      data: [{ name: "pushes" }],
      nextCursor: null,
    });
    const patch = { verify: { scheme: "token", secret: "t" }, rateLimit: { perMinute: 60 } };
    expect((await must(200, trigger("PATCH", "/pushes", patch))).body).toMatchObject({
      verify: { scheme: "token", header: "Authorization", secret: "t" },
      rateLimit: { perMinute: 60, burst: 100 },
    });
    const read = await must(200, trigger("GET", `/${made.body.id}`));
    expect(read.body.state).toEqual({
      pending: 0,
      published: 0,
      lastRefusedSender: null,
      stuck: 0,
      lastDeliveryAt: null,
      poller: null,
    });
    expect(JSON.stringify(read.body)).not.toContain("/hooks/");
    expect((await must(200, trigger("GET", "/pushes/address"))).body).toEqual({ url: made.body.url });
    await must(200, trigger("DELETE", "/pushes?reason=gone"));
    await must(404, trigger("GET", "/pushes"));
  });

  test("is created once per Idempotency-Key, and each response has its address", async () => {
    const { trigger, world } = await office();
    const headers = { "Idempotency-Key": "k1" };
    const first = await must(201, trigger("POST", "", pushes, headers));
    const again = await must(201, trigger("POST", "", pushes, headers));
    expect(again.body).toEqual(first.body);
    await must(422, trigger("POST", "", { ...pushes, name: "b" }, headers));
    const kept = await world.db.$client.prepare("SELECT * FROM stored_responses WHERE key = 'k1'").all();
    expect(JSON.stringify(kept.results)).not.toContain("/hooks/");
  });

  test("warns of a secret that is not set, at each write", async () => {
    const { trigger } = await office();
    const warnings = [{ pointer: "/verify/secret", code: "secret_unset" }];
    expect((await must(201, trigger("POST", "", pushes))).body).toMatchObject({ warnings });
    expect((await must(200, trigger("PATCH", "/pushes", { labels: { a: "b" } }))).body).toMatchObject({ warnings });
    expect((await must(200, trigger("PUT", "/pushes", pushes))).body).toMatchObject({ result: "changed", warnings });
    expect((await must(200, trigger("PUT", "/pushes", pushes))).body).toMatchObject({ result: "unchanged", warnings });
    const unknown = { ...pushes, kind: "event", on: { type: "paid" }, verify: undefined, name: "unknown" };
    const target = { ...pushes.target, correlationId: "{{ message.id }}" };
    expect((await must(201, trigger("POST", "", { ...unknown, target }))).body).toMatchObject({
      warnings: [{ pointer: "/target/correlationId", code: "unknown_path" }],
    });
    const open = { ...pushes, verify: { scheme: "none" } };
    expect((await must(200, trigger("PUT", "/pushes", open))).body).toMatchObject({ warnings: [] });
  });

  test("is not created by a dry run, nor with a taken name", async () => {
    const { trigger } = await office();
    await must(200, trigger("POST", "?dryRun=true", pushes));
    await must(201, trigger("POST", "", pushes));
    expect((await must(409, trigger("POST", "", pushes))).body.code).toBe("already_exists");
  });

  test("is audited at each change", async () => {
    const { trigger, ask, key } = await office();
    const { body } = await must(201, trigger("POST", "", pushes));
    await must(200, trigger("POST", "/pushes/disable", { reason: "noisy" }));
    await must(200, trigger("POST", "/pushes/enable", {}));
    await must(200, trigger("POST", "/pushes/rotate-token", {}));
    await must(200, trigger("POST", "/pushes/rotate-secret", { secret: "b" }));
    const { data } = (await must(200, ask("GET", `/v1/audit?target=${body.id}`, { key }))).body;
    const verbs = data.map(({ verb }: { verb: string }) => verb.replace("trigger.", ""));
    expect(verbs.toSorted()).toEqual(["create", "disable", "enable", "rotate-secret", "rotate-token"]);
    expect(data).toContainEqual(expect.objectContaining({ verb: "trigger.disable", reason: "noisy" }));
  });
});

test.each<[string, object, string, string]>([
  ["an unknown field", { extra: 1 }, "/extra", "unknown_field"],
  ["an unknown scheme", { verify: { scheme: "gitlab" } }, "/verify/scheme", "invalid_union"],
  [
    "a definition that is not there",
    { target: { kind: "start", definition: "ordre" } },
    "/target/definition",
    "not_found",
  ],
  ["an unknown operator", { when: { eq: [1, 1] } }, "/when", "rule_operator_unknown"],
  [
    "a broken template",
    { target: { kind: "event", execution: "{{ a", type: "go" } },
    "/target/execution",
    "template_invalid",
  ],
  [
    "a secret in a mapping",
    { target: { kind: "start", definition: "order", variables: { a: "{{ secrets.x }}" } } },
    "/target/variables/a",
    "secret_misused",
  ],
  [
    "an invalid rule for the sequence",
    { sequence: { value: { nope: 1 } } },
    "/sequence/value",
    "rule_operator_unknown",
  ],
  ["a poller without a poll", { kind: "poller" }, "/poll", "required"],
  ["a rate above the limit", { rateLimit: { perMinute: 6_001 } }, "/rateLimit/perMinute", "too_big"],
])("%s is refused with a pointer", async (_what, over, pointer, code) => {
  const { trigger } = await office();
  const refused = await must(400, trigger("POST", "", { ...pushes, ...over }));
  expect(refused.body.errors).toContainEqual(expect.objectContaining({ pointer, code }));
  expect((await must(200, trigger("GET", ""))).body.data).toEqual([]);
});

test("without a signing key of the installation a webhook is refused", async () => {
  const made = api({ hookTokenSecrets: async () => [] });
  const { key } = await tenantWithKey(made);
  await must(201, made.ask("POST", "/v1/definitions", { key, body: order }));
  expect((await must(501, made.ask("POST", "/v1/triggers", { key, body: pushes }))).body.code).toBe("not_configured");
});
