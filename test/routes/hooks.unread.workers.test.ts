// Checks of requests without a key, before their bodies are read: rate limits and required headers. Reads are counted.
import { describe, expect, test } from "vitest";
import { CALLBACK_RATE, CALLBACK_SENDER_RATE } from "#schema/limits/inbound/trigger-requests.ts";
import { api, must, order, tenantWithKey } from "#test/support/api.ts";
import { NOW } from "#test/support/catalog.ts";
import { connectMessage, signedWith } from "#test/support/docusign.ts";

const KEY = "the-connect-key";

async function office() {
  const made = api();
  const { tenant, key } = await tenantWithKey(made);
  await must(200, made.ask("PUT", "/v1/secrets/hook_key", { key, body: { value: KEY } }));
  const account = { name: "sign", provider: "docusign", sandbox: true, credentials: { connectHmacKey: "hook_key" } };
  await must(201, made.ask("POST", "/v1/connections", { key, body: account }));
  const send = (path: string, raw: BodyInit, headers: Record<string, string>) =>
    made.ask("POST", path, { key: null, raw, headers });
  return { ...made, key, sign: `/v1/hooks/docusign/${tenant}/sign`, send };
}

/** A body that counts its reads. */
function countedBody() {
  const reads = { count: 0 };
  const raw = new ReadableStream({ type: "bytes", pull: () => void reads.count++ }, { highWaterMark: 0 });
  return { raw, reads };
}

const from = (sender: string) => ({ "CF-Connecting-IP": sender, "X-DocuSign-Signature-1": "AAAA" });

describe("a callback of DocuSign", () => {
  test("counts against its sender's rate for the connection; above it no byte is read", async () => {
    const { send, sign } = await office();
    const sender = from("203.0.113.17");
    for (let n = 0; n < CALLBACK_RATE.burst; n++) await must(401, send(sign, "{}", sender));
    const { raw, reads } = countedBody();
    const refused = await must(429, send(sign, raw, sender));
    expect([refused.body.code, refused.headers.get("Retry-After"), reads.count]).toEqual(["rate_limited", "1", 0]);
    await must(401, send(`${sign}-other`, "{}", sender));
    // Each sender address has a rate limit of its own.
    const body = connectMessage({ generatedAt: NOW });
    await must(200, send(sign, body, { ...(await signedWith([KEY], body)), "CF-Connecting-IP": "203.0.113.18" }));
  });

  test("counts against its sender's rate for all paths, so that invented paths have no rate of their own", async () => {
    const { send, sign } = await office();
    const sender = from("203.0.113.27");
    for (let n = 0; n < CALLBACK_SENDER_RATE.burst; n++) await must(401, send(`${sign}-${n}`, "", sender));
    const { raw, reads } = countedBody();
    const refused = await must(429, send(sign, raw, sender));
    expect([refused.body.code, reads.count]).toEqual(["rate_limited", 0]);
  });

  test("is refused unread without a signature", async () => {
    const { send, sign } = await office();
    const { raw, reads } = countedBody();
    await must(401, send(sign, raw, { "CF-Connecting-IP": "203.0.113.37" }));
    expect(reads.count).toBe(0);
  });
});

test("a request to a trigger is refused unread without the scheme's signature header", async () => {
  const { ask, key, send, world } = await office();
  await must(201, ask("POST", "/v1/definitions", { key, body: order }));
  const verify = { scheme: "github", secret: "hook_key" };
  const pushes = { name: "pushes", kind: "webhook", verify, target: { kind: "start", definition: "order" } };
  const { body: trigger } = await must(201, ask("POST", "/v1/triggers", { key, body: pushes }));
  const { raw, reads } = countedBody();
  const refused = await must(401, send(new URL(trigger.url).pathname, raw, { "X-GitHub-Delivery": "1" }));
  expect([refused.body.code, reads.count]).toEqual(["unauthenticated", 0]);
  expect(world.lines).toContainEqual(expect.objectContaining({ event: "hook_signature_invalid", trigger: trigger.id }));
});
