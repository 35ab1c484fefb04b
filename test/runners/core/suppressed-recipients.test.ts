// Suppressed recipients: they are removed and named, and a message without a recipient is skipped and not sent.
import { describe, expect, it } from "vitest";
import { runTicket } from "#runners/run.ts";
import type { JsonObject } from "#schema/json.ts";
import type { SuppressionLookup, SuppressionQuestion } from "#schema/outgoing/suppression-lookup.ts";
import { connectionTo, jsonResponse, NOW, ticketFor, world, type World } from "../world.ts";

const mail = { provider: "resend", from: "shop@example.com", subject: "Hi", text: "Hello" };
const sms = { to: "+14155550123", from: "+14155550100", message: "Hi" };
const subscription = { endpoint: "https://push.example/1", keys: { p256dh: "a", auth: "b" } };

function listing(...addresses: string[]) {
  const asked: SuppressionQuestion[] = [];
  const suppressed: SuppressionLookup = async (question) => {
    asked.push(question);
    return { ok: true, suppressed: question.addresses.filter((each) => addresses.includes(each)) };
  };
  const here: World = world(() => jsonResponse({ id: "msg_1" }), {
    suppressed,
    connection: async (_, provider) => ({
      ok: true,
      connection: connectionTo(provider, { credentials: { apiKey: "re_key" } }),
    }),
  });
  return { asked, here, send: (type: string, config: JsonObject) => runTicket(ticketFor(type, config), here) };
}

describe("an e-mail", () => {
  it("goes to the others, and its result names the removed recipients", async () => {
    const { here, send } = listing("bob@example.com", "eve@example.com");
    const to = ["Ada <ada@example.com>", "bob@example.com"];
    const outcome = await send("email", {
      ...mail,
      to,
      cc: ["eve@example.com", "cy@example.com"],
      bcc: "eve@example.com",
    });
    expect(outcome).toMatchObject({
      ok: true,
      result: { recipients: ["ada@example.com"], suppressed: ["bob@example.com", "eve@example.com"] },
    });
    const body = JSON.parse(String(here.calls[0]?.init.body));
    expect([body.to, body.cc, body.bcc]).toEqual([["Ada <ada@example.com>"], ["cy@example.com"], undefined]);
  });

  it("is skipped when no recipient in `to` is left, even if a copy is", async () => {
    const { here, send } = listing("ada@example.com");
    const outcome = await send("email", { ...mail, to: "ada@example.com", cc: "cy@example.com" });
    expect(outcome).toMatchObject({
      ok: false,
      skipped: "suppressed",
      error: { code: "recipient_suppressed", effect: "none", details: { suppressed: ["ada@example.com"] } },
      startedAt: NOW,
    });
    expect(here.calls).toEqual([]);
  });

  it("without a suppressed recipient is sent unchanged", async () => {
    const { send } = listing();
    const outcome = await send("email", { ...mail, to: "ada@example.com" });
    expect(outcome.ok && outcome.result).not.toHaveProperty("suppressed");
    expect(outcome.ok).toBe(true);
  });

  it("is not sent while the list cannot be read", async () => {
    const { here, send } = listing();
    const error = { type: "service_unavailable", message: "down", retryable: true, code: "catalog_unavailable" };
    Object.assign(here, { suppressed: async () => ({ ok: false, failure: { error } }) });
    expect(await send("email", { ...mail, to: "ada@example.com" })).toMatchObject({ ok: false, error });
    expect(here.calls).toEqual([]);
  });
});

it.each([
  ["email", { ...mail, to: ["ada@example.com", "Ada <ada@example.com>"] }, ["ada@example.com"], true],
  ["email", { ...mail, to: "ada@example.com", heedSuppressions: false }, ["ada@example.com"], false],
  ["sms", sms, ["+14155550123"], true],
  ["sms", { ...sms, heedSuppressions: false }, ["+14155550123"], false],
  ["push", { subscription, payload: 1 }, ["https://push.example/1"], true],
  ["push", { token: "device", data: { a: 1 }, heedSuppressions: false }, ["device"], false],
])("%s %j asks about %j", async (type, config, addresses, isHeeding) => {
  const { asked, send } = listing(...addresses);
  expect(await send(type, config)).toMatchObject({ ok: false, skipped: "suppressed" });
  expect(asked).toEqual([{ channel: type, addresses, isHeeding }]);
});

it("a message to a topic has no address, so the list is not read", async () => {
  const { asked, send } = listing("news");
  await send("push", { topic: "news", data: { a: 1 } });
  await send("webhook", { url: "https://example.com/" });
  expect(asked).toEqual([]);
});
