// Token requests of a connection and their signed assertions: the grants of RFC 6749 and the assertions of RFC 7523.
import { generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signJwtWithPem } from "#runners/core/jwt.ts";
import { connection, type ConnectionAuth } from "#schema/connection.ts";
import { connectionRequest } from "#services/connections/connection-request.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const url = "https://id.example.com/token";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
const deps = {
  now: () => NOW,
  randomBytes: (length: number) => new Uint8Array(length).fill(7),
  signJwt: signJwtWithPem,
};

type OAuth2 = Extract<ConnectionAuth, { type: "oauth2" }>;
const asking = (auth: Partial<OAuth2>, credentials: Record<string, string> = {}) =>
  connectionRequest(
    deps,
    { type: "oauth2", grant: "client_credentials", tokenEndpoint: url, ...auth },
    { clientId: "id:1", clientSecret: "s3cret", refreshToken: "refresh-1", ...credentials },
  );

const basic = `Basic ${btoa("id%3A1:s3cret")}`;

it.each<[string, Partial<OAuth2>, object, string | undefined]>([
  ["the client alone", {}, { grant_type: "client_credentials" }, basic],
  [
    "the client in the form, with scopes and audience",
    { clientAuth: "body", scopes: ["a", "b"], audience: "crm" },
    { grant_type: "client_credentials", scope: "a b", audience: "crm", client_id: "id:1", client_secret: "s3cret" },
    undefined,
  ],
  ["a refresh token", { grant: "refresh_token" }, { grant_type: "refresh_token", refresh_token: "refresh-1" }, basic],
])("%s", async (_what, auth, form, authorization) => {
  expect(await asking(auth)).toEqual({ url, form, secrets: ["s3cret"], ...(authorization ? { authorization } : {}) });
});

const keys = { RS256: rsa, ES256: ec } as const;

function read(jwt: string, algorithm: keyof typeof keys) {
  const [head = "", claims = "", signature = ""] = jwt.split(".");
  const key = { key: keys[algorithm].publicKey, dsaEncoding: "ieee-p1363" as const };
  const isSigned = verify("sha256", Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url"));
  const part = (text: string) => JSON.parse(Buffer.from(text, "base64url").toString());
  return { isSigned, header: part(head), claims: part(claims) };
}

const times = { iat: NOW / 1_000, exp: NOW / 1_000 + 300, jti: "07".repeat(16) };

describe("an assertion", () => {
  it.each(["RS256", "ES256"] as const)(
    "an account's assertion is signed with %s and names the client, the subject and the scopes",
    async (algorithm) => {
      const assertion = { algorithm, issuer: "svc@example.com", subject: "ada", keyId: "key-7" };
      const auth: Partial<OAuth2> = { grant: "jwt_bearer", scopes: ["a", "b"], assertion };
      const asked = await asking(auth, { privateKey: pem(keys[algorithm].privateKey).replaceAll("\n", "\\n") });
      expect(asked?.form).toEqual({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        scope: "a b",
        assertion: expect.any(String),
      });
      expect(asked).not.toHaveProperty("authorization");
      const jwt = asked?.form["assertion"] ?? "";
      expect(asked?.secrets).toContain(jwt);
      expect(read(jwt, algorithm)).toEqual({
        isSigned: true,
        header: { typ: "JWT", alg: algorithm, kid: "key-7" },
        claims: { iss: "svc@example.com", sub: "ada", scope: "a b", aud: url, ...times },
      });
    },
  );

  it("an assertion may name another audience, and be sent with client authentication", async () => {
    const assertion = { issuer: "svc", audience: "https://id.example.com" };
    const auth = { grant: "jwt_bearer", clientAuth: "basic", assertion } as const;
    const asked = await asking(auth, { privateKey: pem(rsa.privateKey) });
    expect(asked?.authorization).toBe(basic);
    expect(read(asked?.form["assertion"] ?? "", "RS256").claims).toEqual({
      iss: "svc",
      aud: "https://id.example.com",
      ...times,
    });
  });

  it("a client assertion replaces the client secret for every grant", async () => {
    const auth = { grant: "refresh_token", clientAuth: "private_key_jwt", assertion: { algorithm: "ES256" } } as const;
    const asked = await asking(auth, { privateKey: pem(ec.privateKey) });
    expect(asked?.form).toEqual({
      grant_type: "refresh_token",
      refresh_token: "refresh-1",
      client_id: "id:1",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: expect.any(String),
    });
    const jwt = read(asked?.form["client_assertion"] ?? "", "ES256");
    expect(jwt).toMatchObject({ isSigned: true, claims: { iss: "id:1", sub: "id:1", aud: url } });
  });

  it.each<[string, Partial<OAuth2>, string]>([
    ["no key", { grant: "jwt_bearer" }, ""],
    ["no key of the client's", { clientAuth: "private_key_jwt" }, "no key"],
    ["a key of another kind", { grant: "jwt_bearer", assertion: { algorithm: "ES256" } }, pem(rsa.privateKey)],
    ["a broken key", { grant: "jwt_bearer", assertion: { algorithm: "ES256" } }, pem(ec.privateKey).replace("M", "!")],
  ])("cannot be signed with %s", async (_what, auth, privateKey) => {
    expect(await asking(auth, { privateKey })).toBeNull();
  });
});

it.each<[string, object, Record<string, string>, string[]]>([
  ["jwt_bearer without an issuer", { grant: "jwt_bearer" }, { privateKey: "k" }, ["auth.assertion.issuer"]],
  ["jwt_bearer without a key", { grant: "jwt_bearer", assertion: { issuer: "i" } }, {}, ["credentials.privateKey"]],
  ["jwt_bearer with both", { grant: "jwt_bearer", assertion: { issuer: "i" } }, { privateKey: "k" }, []],
  [
    "a client beside an assertion without a secret",
    { grant: "jwt_bearer", clientAuth: "body", assertion: { issuer: "i" } },
    { privateKey: "k", clientId: "c" },
    ["credentials.clientSecret"],
  ],
  [
    "private_key_jwt without a key",
    { grant: "client_credentials", clientAuth: "private_key_jwt" },
    { clientId: "c" },
    ["credentials.privateKey"],
  ],
  [
    "private_key_jwt with a refresh token, and none",
    { grant: "refresh_token", clientAuth: "private_key_jwt" },
    { clientId: "c", privateKey: "k" },
    ["credentials.refreshToken"],
  ],
  [
    "an unknown algorithm",
    { grant: "jwt_bearer", assertion: { algorithm: "HS256", issuer: "i" } },
    { privateKey: "k" },
    ["auth.assertion.algorithm"],
  ],
])("%s", (_what, auth, credentials, wrong) => {
  const body = { name: "crm", provider: "http", auth: { type: "oauth2", tokenEndpoint: url, ...auth }, credentials };
  const parsed = connection.safeParse(body);
  expect(parsed.error?.issues.map(({ path }) => path.join(".")) ?? []).toEqual(wrong);
});
