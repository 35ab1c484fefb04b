// Tests of guarded ports: every outbound call of a run that received a host-restricted secret.
import { expect, it } from "vitest";
import { callOut } from "#runners/http/engine-call.ts";
import { runTicket } from "#runners/run.ts";
import type { JsonObject } from "#schema/json.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import { connectionTo, jsonResponse, ticketFor, world, type Answer } from "#test/runners/world.ts";

const bound = (...hosts: string[]): BoundSecret => ({ secret: "crm_token", hosts });
const fine: Answer = () => jsonResponse({ access_token: "token-1", ok: true });

async function perform(type: string, config: JsonObject, over: Parameters<typeof world>[1] = {}) {
  const surroundings = world(fine, over);
  const outcome = await runTicket(ticketFor(type, config), surroundings);
  return { outcome, hosts: surroundings.calls.map(({ url }) => new URL(url).hostname) };
}
const error = { type: "invalid_configuration", code: "secret_host_mismatch", retryable: false };

it("a blocked call reports the secret, the blocked host and the allowed hosts", async () => {
  const over = { bounds: [bound("api.example.com", "*.example.net")], secrets: ["a-secret-value"] };
  const { outcome, hosts } = await perform("webhook", { url: "https://evil.example.org/a-secret-value" }, over);
  const details = { secret: "crm_token", to: "evil.example.org", hosts: ["api.example.com", "*.example.net"] };
  expect([outcome, hosts]).toMatchObject([{ ok: false, error: { ...error, details } }, []]);
});

it("the report does not contain a secret that is part of the host", async () => {
  const over = { bounds: [bound("api.example.com")], secrets: ["hushhush"] };
  const { outcome } = await perform("webhook", { url: "https://hushhush.example.org/" }, over);
  expect(outcome).toMatchObject({ ok: false, error });
  expect(JSON.stringify(outcome)).not.toContain("hushhush");
});

it.each<[string, string[], boolean, string[]]>([
  ["both", ["login.example.com", "api.example.com"], true, ["login.example.com", "api.example.com"]],
  [
    "the token's alone: the token is got, and the call is not made",
    ["login.example.com"],
    false,
    ["login.example.com"],
  ],
  ["the API's alone: no token is asked for", ["api.example.com"], false, []],
])("a client secret of an API call goes to the token endpoint: bound to %s", async (_, hosts, isOk, called) => {
  const authentication = {
    type: "oauth2",
    tokenEndpoint: "https://login.example.com/token",
    clientId: "c",
    clientSecret: `client-secret-${hosts.join("+")}`,
  };
  const config = { url: "https://api.example.com/deals", authentication };
  const performed = await perform("api_call", config, { bounds: [bound(...hosts)] });
  expect([performed.outcome.ok, performed.hosts]).toEqual([isOk, called]);
  if (!performed.outcome.ok) expect(performed.outcome.error).toMatchObject(error);
});

it("a connection's secrets are checked from the time it is opened", async () => {
  const bounds: BoundSecret[] = [];
  const connection = async (_: string | null, provider: string) => {
    bounds.push(bound("api.example.com"));
    return { ok: true, connection: connectionTo(provider, { baseUrl: "https://other.example.com" }) } as const;
  };
  const { outcome, hosts } = await perform("api_call", { service: "crm" }, { bounds, connection });
  expect([outcome, hosts]).toMatchObject([{ ok: false, error }, []]);
});

it("the e-mail binding has no host, so no restricted secret may be used with it", async () => {
  const sent: unknown[] = [];
  const email = { send: async (message: unknown) => (sent.push(message), { messageId: "m" }) };
  const mail = { provider: "cloudflare", to: "ada@example.com", from: "us@example.com", subject: "Hi", text: "Hello" };
  const { outcome } = await perform("email", mail, { email, bounds: [bound("api.example.com")] });
  const details = { secret: "crm_token", hosts: ["api.example.com"] };
  expect(outcome).toMatchObject({ ok: false, error: { ...error, details } });
  expect((await perform("email", mail, { email })).outcome.ok).toBe(true);
  expect(sent).toHaveLength(1);
});

it("the engine's own calls are checked, too", async () => {
  const { calls, ...surroundings } = world(fine);
  const call = { method: "GET", url: "https://api.example.com/", headers: {}, body: null, timeoutMs: 100, secrets: [] };
  const refused = await callOut({ ...call, bounds: [bound("login.example.com")] }, surroundings);
  expect([refused, calls]).toMatchObject([{ ok: false, status: null, error }, []]);
  expect(await callOut({ ...call, bounds: [bound("api.example.com")] }, surroundings)).toMatchObject({ ok: true });
});
