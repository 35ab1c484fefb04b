// Tests that the engine's schemes verify the webhooks that the sandbox signs.
import { generateKeyPairSync } from "node:crypto";
import { expect, it, test } from "vitest";
import { verification } from "#schema/inbound/verification.ts";
import { AT, believed } from "#test/services/hooks/scheme-contract.ts";
import { sandboxed } from "./sandboxed.ts";

const { server } = sandboxed();

async function send(asked: object) {
  const body = JSON.stringify({ url: "http://127.0.0.1:1/hooks/t", key: "a long key", deliver: false, ...asked });
  const response = await server.fetch("/_control/hooks", { method: "POST", body });
  return { status: response.status, said: JSON.parse(await response.text()) };
}

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const privateKey = pair.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
const publicKey = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64");

test.each([
  ["sendgrid", privateKey, publicKey],
  ["twilio", "a long key"],
  ["github", "a long key"],
  ["stripe", "a long key"],
  ["slack", "a long key"],
  ["standard_webhooks", `whsec_${Buffer.from("a key of bytes").toString("base64")}`],
])("as %s", async (scheme, key, stored = key) => {
  const at = new Date(AT).toISOString();
  const { said } = await send({ scheme, key, at, id: "d1", body: { after: "c0ffee" } });
  expect(said.answer).toBe(null);
  const settings = verification.parse({ scheme, secret: "s" });
  expect(await believed(settings, said.sent, [stored])).toBe(true);
  expect(await believed(settings, { ...said.sent, body: "{}" }, [stored])).toBe(false);
});

it("names the missing field", async () => {
  const { status, said } = await send({ scheme: "github", key: "" });
  expect(status).toBe(400);
  expect(JSON.stringify(said)).toContain("key");
});
