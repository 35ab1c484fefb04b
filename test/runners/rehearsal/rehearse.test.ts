// Tests of rehearsals: the real runners perform without sending anything, and the requests are reported.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resultEvents } from "#schema/engine/result-events.ts";
import { runners } from "#runners/registry.ts";
import { caseOf, cases, slot } from "./cases.ts";
import { offline, rehearsed } from "./world.ts";

const network = offline();
beforeEach(network.cut);
afterEach(network.check);

describe.each(cases)("%s to %s", (type, _what, config, set, asked) => {
  it("succeeds, and lists its requests", async () => {
    const { outcome, interactions } = await rehearsed(type, config, set);
    expect(outcome).toMatchObject({ ok: true });
    const said = outcome.ok ? outcome.events.map((event) => event.type) : [];
    expect(said.every((each) => resultEvents[type]?.includes(each))).toBe(true);
    expect(interactions.map(lineOf)).toEqual(asked);
    expect(interactions.every(({ mocked, assumed }) => mocked && assumed)).toBe(true);
  });
});

function lineOf(each: Awaited<ReturnType<typeof rehearsed>>["interactions"][number]): string {
  if ("port" in each) return `${each.port}.${each.call}`;
  const { method, url, body } = each;
  return `${method} ${body !== null && typeof body === "object" && "jsonrpc" in body ? String(body.method) : url}`;
}

it("every type has a case", () => {
  expect([...new Set(cases.map(([type]) => type))].toSorted()).toEqual(Object.keys(runners).toSorted());
});

describe("a shown request", () => {
  const credentials = { accountSid: "twilio_sid", authToken: "twilio_token", webhookKey: "twilio_token" };
  const texting = { provider: "twilio", to: "+14155550123", from: "+15005550006", message: "Hi" };
  it.each([
    ["has the address to which Twilio reports", "https://engine.test", credentials, "https://engine.test"],
    ["prefers the connection's own address", "https://engine.test", credentials, "https://own.test"],
    ["has none without the key that verifies reports", "https://engine.test", { ...credentials, webhookKey: "" }, null],
    ["has none if the engine does not know its address", null, credentials, null],
  ])("%s", async (_name, publicUrl, secrets, base) => {
    const { webhookKey, ...others } = secrets;
    const account = {
      credentials: webhookKey === "" ? others : secrets,
      settings: base === "https://own.test" ? { publicUrl: base } : {},
    };
    const { http } = await rehearsed("sms", texting, { account, lookups: { publicUrl } });
    const sent = new URLSearchParams(String(http[0]?.body)).get("StatusCallback");
    if (base === null) expect(sent).toBeNull();
    else expect(sent).toMatch(new RegExp(`^${base}/v1/hooks/twilio/[^/]+/main\\?escapement_ref=`));
  });

  it("is the real request, with the names of secrets instead of their values", async () => {
    const { http } = await rehearsed(
      "webhook",
      {
        url: slot("https://example.com/", { name: "hook_path" }, "?api_key=written-in-the-url&page=2"),
        headers: { Authorization: slot("Bearer ", { name: "crm_token" }), "X-Trace": "t-1" },
        payload: {
          total: 42,
          note: slot("for ", { name: "crm_token" }),
          password: "hunter2-hunter2",
          by: "hunter2-hunter2",
        },
      },
      { lookups: { signs: true } },
    );
    const [request] = http;
    expect(request).toMatchObject({
      url: "https://example.com/[secret hook_path]?api_key=[redacted]&page=2",
      body: { total: 42, note: "for [secret crm_token]", password: "[redacted]", by: "[redacted]" },
    });
    expect(request?.headers).toMatchObject({
      authorization: "Bearer [secret crm_token]",
      "idempotency-key": "exe_1/4.0",
      "webhook-signature": "[redacted]",
      "x-trace": "t-1",
    });
  });

  it("hides secrets written in the config, and their echoes", async () => {
    const config = {
      url: "https://example.com",
      headers: { Authorization: "Bearer canary-canary" },
      payload: "canary-canary",
    };
    const echo = {
      status: 400,
      body: { said: "canary-canary", token: "another-canary" },
      headers: { "set-cookie": "canary-canary" },
    };
    const told = await rehearsed("webhook", config, { mocks: echo });
    expect(JSON.stringify(told)).not.toMatch(/canary/);
    expect(told.http[0]?.response).toMatchObject({ status: 400 });
  });

  it("hides keys in a node's URL, and generated values", async () => {
    const { config, set } = caseOf("contract_call", "a chain that mines at once");
    const { interactions } = await rehearsed("contract_call", config, set);
    expect(JSON.stringify(interactions)).not.toMatch(/0123456789abcdef0123|5e5e5e5e/);
  });

  it("is shortened if long, and shows the size if binary", async () => {
    const { http } = await rehearsed("webhook", { url: "https://example.com", payload: "x".repeat(20_000) });
    expect(http[0]).toMatchObject({ bodyBytes: 20_000, body: expect.stringMatching(/^x{16384}…$/) });
    const { config, set } = caseOf("push", "a browser");
    const pushed = await rehearsed("push", config, set);
    expect(pushed.http[0]?.body).toMatch(/^\[\d+\b[^\]]*\]$/);
  });
});
