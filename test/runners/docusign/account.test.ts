// Tests of DocuSign accounts: authentication, and the errors of incomplete connections.
import { verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { OpenConnection } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { account, ACCOUNT, created, pem, publicKey, withTokens } from "./docusign-world.ts";
import { jwtSigning } from "#test/runners/core/jwt-signing.ts";
import { performed } from "#test/runners/perform.ts";
import { jsonResponse, NOW, type Answer } from "#test/runners/world.ts";

const role = { roleName: "Tenant", name: "Ada", email: "ada@example.com" };
const goodConfig = { templateId: "tpl-1", templateRoles: [role] };
const URL_OF = `https://demo.docusign.net/restapi/v2.1/accounts/${ACCOUNT}/envelopes`;

const send = (config: JsonObject = {}, answer = created, over: Partial<OpenConnection> = {}, user = "sends") =>
  performed("docusign_envelope", { ...goodConfig, ...config }, withTokens(answer), { account: account(user, over) });

describe("authentication", () => {
  jwtSigning();

  it("stores neither key nor token, even if an answer contains them", async () => {
    const blabs: Answer = async ({ request }) =>
      jsonResponse({ said: [...request.headers], key: pem.pkcs8, hmac: "an-older-hmac-key" }, { status: 400 });
    const credentials = { privateKey: pem.pkcs8, connectHmacKey: "hmac-key-of-the-account an-older-hmac-key" };
    const { outcome } = await send({}, blabs, { credentials }, "is overheard");
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome)).not.toMatch(/token-of-docusign|BEGIN|an-older-hmac-key/);
  });

  it.each(Object.keys(pem) as (keyof typeof pem)[])("requests a token with the account's key in %s", async (form) => {
    const over = { credentials: { privateKey: pem[form].replaceAll("\n", "\\n") } };
    const { calls, outcome } = await send({}, created, over, `signs in with ${form}`);
    expect(calls.map(({ url }) => url)).toEqual(["https://account-d.docusign.com/oauth/token", URL_OF]);
    const grant = new URLSearchParams(await calls[0]?.request.text());
    expect(grant.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [head = "", claims = "", signature = ""] = (grant.get("assertion") ?? "").split(".");
    const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
    expect([read(head), read(claims)]).toEqual([
      { typ: "JWT", alg: "RS256" },
      {
        iss: "key-1",
        sub: `signs in with ${form}`,
        aud: "account-d.docusign.com",
        iat: NOW / 1000,
        exp: NOW / 1000 + 3600,
        scope: "signature impersonation",
      },
    ]);
    const signed = Buffer.from(`${head}.${claims}`);
    expect(verify("sha256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
    expect(calls[1]?.request.headers.get("authorization")).toBe("Bearer token-of-docusign");
    expect(JSON.stringify(outcome)).not.toMatch(/token-of-docusign|BEGIN/);
  });

  it("caches its token, and renews it once when it is refused", async () => {
    await send({}, created, {}, "keeps");
    expect((await send({}, created, {}, "keeps")).calls).toHaveLength(1);
    const no: Answer = () => jsonResponse({ errorCode: "AUTHORIZATION_INVALID_TOKEN", message: "x" }, { status: 401 });
    const refused = await send({}, no, {}, "keeps");
    expect(refused.calls).toHaveLength(3);
    expect(refused.outcome).toMatchObject({ error: { type: "authentication_failed", code: "token_refused" } });
  });

  const tokens = (body: object, user: string) =>
    performed("docusign_envelope", goodConfig, () => jsonResponse(body, { status: 400 }), { account: account(user) });

  it("explains how to grant consent", async () => {
    const { outcome } = await tokens({ error: "consent_required" }, "consents");
    expect(outcome).toMatchObject({
      error: { type: "authentication_failed", code: "consent_required", retryable: false },
    });
    const said = outcome.ok ? "" : outcome.error.message;
    expect(said).toContain(
      "https://account-d.docusign.com/oauth/auth?response_type=code&scope=signature%20impersonation",
    );
    expect(said).toContain("client_id=key-1");
  });

  it("reports DocuSign's error for a wrong user or key", async () => {
    const { outcome } = await tokens({ error: "invalid_grant", error_description: "user_not_found" }, "unknown");
    expect(outcome).toMatchObject({ error: { type: "authentication_failed", code: "invalid_grant" } });
    expect(outcome.ok ? "" : outcome.error.message).toContain("user_not_found");
  });

  it.each<[string, Partial<OpenConnection>, string, string]>([
    ["no account", { settings: { integrationKey: "k", userId: "u" } }, "account_id_missing", "GUID"],
    ["no address", { sandbox: false }, "base_url_missing", "base_uri"],
    ["no integration key", { settings: { accountId: "a", userId: "u" } }, "credential_missing", "integrationKey"],
    ["no user", { settings: { accountId: "a", integrationKey: "k" } }, "credential_missing", "userId"],
    ["no key", { credentials: {} }, "credential_invalid", "RSA"],
    [
      "a key that is none",
      { credentials: { privateKey: "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----" } },
      "credential_invalid",
      "RSA",
    ],
    [
      "an authServer that is none",
      { settings: { ...account("u").settings, authServer: "x" } },
      "credential_missing",
      "authServer",
    ],
    [
      "callbacks nobody could verify",
      {
        credentials: { privateKey: pem.pkcs8 },
        settings: { ...account("u").settings, publicUrl: "https://x.example" },
      },
      "connect_hmac_key_missing",
      "publicUrl",
    ],
  ])("reports %s", async (_what, over, code, said) => {
    const { outcome, calls } = await send({}, created, over, `lacks ${code}`);
    expect([outcome, calls]).toMatchObject([{ error: { type: "invalid_configuration", code } }, []]);
    expect(outcome.ok ? "" : outcome.error.message).toContain(said);
  });

  it("calls the account's own address, with or without /restapi", async () => {
    for (const base of ["https://na3.docusign.net", "https://na3.docusign.net/restapi/"]) {
      const { calls } = await send({}, created, { sandbox: false, baseUrl: base }, `lives at ${base}`);
      const own = `https://na3.docusign.net/restapi/v2.1/accounts/${ACCOUNT}/envelopes`;
      expect(calls.map(({ url }) => url)).toEqual(["https://account.docusign.com/oauth/token", own]);
    }
  });
});
