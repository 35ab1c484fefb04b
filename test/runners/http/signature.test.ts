import { expect, it } from "vitest";
import { signatureHeaders } from "#runners/http/signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const signed = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' };

it("signs the standard's example as the standard does", async () => {
  expect(await signatureHeaders([SECRET], signed)).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

it("returns one signature per secret", async () => {
  const headers = await signatureHeaders([SECRET, `whsec_${btoa("x".repeat(64))}`], signed);
  expect(headers?.["webhook-signature"]).toMatch(/^v1,g0hM9SsE\S+ v1,\S+$/);
});

it.each([
  [[]],
  [["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]],
  [["whsec_"]],
  [["whsec_%%%"]],
  [[SECRET, "plain"]],
  [[`whsec_${btoa("x".repeat(23))}`]],
  [[`whsec_${btoa("x".repeat(65))}`]],
])("refuses the secret %j", async (secrets) => {
  expect(await signatureHeaders(secrets, signed)).toBeNull();
});
