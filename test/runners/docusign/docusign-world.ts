// DocuSign test server: an account, and answers for its token endpoint and its API.
import { generateKeyPairSync } from "node:crypto";
import type { OpenConnection } from "#runners/core/runner.ts";
import { jsonResponse, type Answer } from "#test/runners/world.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const publicKey = pair.publicKey;
export const pem = {
  pkcs8: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  pkcs1: pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
};

export const ACCOUNT = "0c1d2e3f-0000-4000-8000-000000000001";
const settings = { accountId: ACCOUNT, integrationKey: "key-1", userId: "user-1" };

/** Each test uses its own user, because tokens are cached by user. */
export function account(user: string, over: Partial<OpenConnection> = {}): Partial<OpenConnection> {
  const credentials = { privateKey: pem.pkcs8, connectHmacKey: "hmac-key-of-the-account" };
  return { name: "sign", sandbox: true, credentials, settings: { ...settings, userId: user }, ...over };
}

export const ENVELOPE = "93be49ab-0000-4000-8000-000000000002";
export const created: Answer = () =>
  jsonResponse(
    {
      envelopeId: ENVELOPE,
      uri: `/envelopes/${ENVELOPE}`,
      statusDateTime: "2026-01-15T12:00:01.5530000Z",
      status: "sent",
    },
    { status: 201 },
  );

export const withTokens =
  (answer: Answer): Answer =>
  (call) =>
    call.url.endsWith("/oauth/token")
      ? jsonResponse({ access_token: "token-of-docusign", token_type: "Bearer", expires_in: 28_800 })
      : answer(call);

/** A connection with OAuth2 tokens. A refused token is not renewed, so that a test sees one call. */
export const oauth: Partial<OpenConnection> = {
  auth: { type: "oauth2", grant: "refresh_token", tokenEndpoint: "https://account-d.docusign.com/oauth/token" },
  token: async (refused) =>
    refused === null
      ? { ok: true, token: "token-of-the-connection" }
      : {
          ok: false,
          failure: { error: { type: "authentication_failed", message: "no", retryable: false, code: "http_401" } },
        },
};
