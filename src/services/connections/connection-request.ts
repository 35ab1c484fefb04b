// Token requests: builds the request for an access token as a connection's `auth` defines it, with the grant and the
// client authentication.
import type { ConnectionAuth } from "#schema/connection.ts";
import type { JsonObject } from "#schema/json.ts";
import type { TokenRequest } from "#schema/provider/oauth.ts";
import { ASSERTION_LIFE_MS } from "#schema/limits/outgoing/tokens.ts";
import { basic } from "./connection-auth.ts";
import type { Deps } from "../deps.ts";

type OAuth2 = Extract<ConnectionAuth, { type: "oauth2" }>;
type Credentials = { readonly [field: string]: string };
type SignDeps = Pick<Deps, "now" | "randomBytes" | "signJwt">;
type Form = { readonly [field: string]: string };

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const CLIENT_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Builds the request. Returns null if the private key that signs the assertion is not valid. */
export async function connectionRequest(
  deps: SignDeps,
  auth: OAuth2,
  credentials: Credentials,
): Promise<TokenRequest | null> {
  const { grant, scopes = [], audience, tokenEndpoint: url } = auth;
  const granted = await grantForm(deps, auth, credentials);
  const client = await clientForm(deps, auth, credentials);
  if (granted === null || client === null) return null;
  const form = {
    grant_type: grant === "jwt_bearer" ? JWT_BEARER : grant,
    ...granted,
    ...(scopes.length > 0 ? { scope: scopes.join(" ") } : {}),
    ...(audience === undefined ? {} : { audience }),
    ...client.form,
  };
  const { clientSecret = "" } = credentials;
  const signed = [granted["assertion"], client.form["client_assertion"]].filter((text) => text !== undefined);
  // The refresh token is not among the redacted secrets. Many providers return the same refresh token, and their answer
  // must be stored unchanged.
  const secrets = [clientSecret, ...signed].filter(Boolean);
  return client.authorization === undefined
    ? { url, form, secrets }
    : { url, form, secrets, authorization: client.authorization };
}

async function grantForm(deps: SignDeps, auth: OAuth2, credentials: Credentials): Promise<Form | null> {
  switch (auth.grant) {
    case "client_credentials":
      return {};
    case "refresh_token":
      return { refresh_token: credentials["refreshToken"] ?? "" };
    case "jwt_bearer": {
      const { issuer = "", subject } = auth.assertion ?? {};
      const scope = auth.scopes === undefined || auth.scopes.length === 0 ? {} : { scope: auth.scopes.join(" ") };
      const claims = { iss: issuer, ...(subject === undefined ? {} : { sub: subject }), ...scope };
      const assertion = await signed(deps, auth, credentials, claims);
      return assertion === null ? null : { assertion };
    }
  }
}

type Client = { readonly form: Form; readonly authorization?: string };

async function clientForm(deps: SignDeps, auth: OAuth2, credentials: Credentials): Promise<Client | null> {
  const { clientId = "", clientSecret = "" } = credentials;
  switch (auth.clientAuth) {
    case "body":
      return { form: { client_id: clientId, client_secret: clientSecret } };
    case "private_key_jwt": {
      const assertion = await signed(deps, auth, credentials, { iss: clientId, sub: clientId });
      if (assertion === null) return null;
      return { form: { client_id: clientId, client_assertion_type: CLIENT_ASSERTION, client_assertion: assertion } };
    }
    case "basic":
    case undefined:
      // The account's assertion authenticates the client too, unless the connection sets `clientAuth`.
      if (auth.grant === "jwt_bearer" && auth.clientAuth === undefined) return { form: {} };
      // RFC 6749, 2.3.1: the id and the secret are form-encoded before they are joined.
      return { form: {}, authorization: basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret)) };
  }
}

function signed(
  { now, randomBytes, signJwt }: SignDeps,
  { assertion = {}, tokenEndpoint }: OAuth2,
  credentials: Credentials,
  claims: JsonObject,
): Promise<string | null> {
  const { algorithm = "RS256", keyId, audience = tokenEndpoint } = assertion;
  const iat = Math.floor(now() / 1_000);
  const jti = Array.from(randomBytes(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const times = { aud: audience, iat, exp: iat + ASSERTION_LIFE_MS / 1_000, jti };
  const header = keyId === undefined ? {} : { kid: keyId };
  return signJwt(algorithm, credentials["privateKey"] ?? "", { ...claims, ...times }, header);
}
