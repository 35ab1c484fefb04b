// API call authentication: adds credentials to a request, as the config or the connection defines. A part of api_call.
import { API_KEY_HEADER, type Authentication } from "./api-call-config.ts";
import { credential } from "../core/account.ts";
import { base64, utf8 } from "../core/bytes.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import type { TokenRequest } from "#schema/provider/oauth.ts";
import { ownToken } from "./own-token.ts";

/** The headers, query values and secrets that authentication adds to a request. */
export type SignedRequest = {
  readonly headers: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
  readonly secrets: readonly string[];
};
type TokenSource = Pick<OpenConnection, "token">;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns fixed credentials, or a source of access tokens. If a token is refused, the source can renew it once. */
export function authOf(
  chosen: Authentication | undefined,
  connection: OpenConnection | null,
  context: RunnerContext,
): { readonly ok: true; readonly auth: SignedRequest | TokenSource } | (Failure & { readonly ok: false }) {
  const auth =
    chosen === undefined
      ? authOfConnection(connection)
      : chosen.type === "oauth2"
        ? tokensOfConfig(chosen, connection, context)
        : fixedAuth(chosen);
  if ("error" in auth) return { ok: false, ...auth };
  if ("token" in auth || Object.values(auth.headers).every((value) => HEADER_VALUE.test(value)))
    return { ok: true, auth };
  return {
    ok: false,
    ...configurationFailure(
      "authentication: a credential contains characters that a header cannot contain",
      "credential_unsendable",
    ),
  };
}

/** Returns the authentication that the connection defines. */
function authOfConnection(connection: OpenConnection | null): SignedRequest | TokenSource {
  const auth = connection?.auth ?? { type: "none" };
  if (connection === null) return fixedAuth({ type: "none" });
  switch (auth.type) {
    case "none":
      return fixedAuth({ type: "none" });
    case "basic":
      return fixedAuth({
        type: "basic",
        username: credential(connection, "username"),
        password: credential(connection, "password"),
      });
    case "bearer":
      return fixedAuth({ type: "bearer", token: credential(connection, "token") });
    case "api_key": {
      const key = credential(connection, "apiKey");
      if (auth.query !== undefined) return fixedAuth({ type: "api_key", key, in: "query", name: auth.query });
      return fixedAuth({ type: "api_key", key, in: "header", name: auth.header ?? API_KEY_HEADER });
    }
    case "oauth2":
      return connection;
  }
}

function fixedAuth(auth: Exclude<Authentication, { type: "oauth2" }>): SignedRequest {
  switch (auth.type) {
    case "none":
      return { headers: {}, query: {}, secrets: [] };
    case "basic": {
      const basic = base64(utf8(`${auth.username}:${auth.password}`));
      return { headers: { Authorization: `Basic ${basic}` }, query: {}, secrets: [basic, auth.password] };
    }
    case "bearer":
      return bearer(auth.token);
    case "api_key":
      return auth.in === "query"
        ? { headers: {}, query: { [auth.name]: auth.key }, secrets: [auth.key] }
        : { headers: { [auth.name]: auth.key }, query: {}, secrets: [auth.key] };
  }
}

export function bearer(token: string): SignedRequest {
  return { headers: { Authorization: `Bearer ${token}` }, query: {}, secrets: [token] };
}

type OAuth2 = Extract<Authentication, { type: "oauth2" }>;

function tokensOfConfig(
  auth: OAuth2,
  connection: OpenConnection | null,
  context: RunnerContext,
): TokenSource | Failure {
  const { grant, tokenEndpoint, clientId, clientSecret = "", refreshToken = "" } = auth;
  const proof = grant === "refresh_token" ? refreshToken : clientSecret;
  if (tokenEndpoint === undefined || clientId === undefined || proof === "") {
    const missing =
      "authentication: oauth2 needs tokenEndpoint, clientId and clientSecret (or refreshToken), or a service with tokens";
    return connection ?? configurationFailure(missing, "credential_missing");
  }
  const { scope = "", audience = "" } = auth;
  const request = requestOf(auth, { tokenEndpoint, clientId, clientSecret, refreshToken });
  const ownGrant = {
    owner: [grant, tokenEndpoint, clientId, scope, audience],
    secrets: [clientSecret, refreshToken],
    ...(grant === "refresh_token" ? { chain: [tokenEndpoint, clientId, refreshToken] } : {}),
    request: async () => ({ ok: true, request }) as const,
  };
  return { token: (refused) => ownToken(ownGrant, refused, context, null) };
}

type Client = { readonly [name in "tokenEndpoint" | "clientId" | "clientSecret" | "refreshToken"]: string };

function requestOf({ grant, clientAuth, scope, audience }: OAuth2, client: Client): TokenRequest {
  const { tokenEndpoint: url, clientId, clientSecret, refreshToken } = client;
  // A client without a secret sends its id in the form, not in a header. The refresh token in the form then
  // authenticates the client.
  const inHeader = clientAuth === "basic" && clientSecret !== "";
  const form = {
    grant_type: grant,
    ...(grant === "refresh_token" ? { refresh_token: refreshToken } : {}),
    ...(inHeader ? {} : { client_id: clientId }),
    ...(inHeader || clientSecret === "" ? {} : { client_secret: clientSecret }),
    ...(scope === undefined ? {} : { scope }),
    ...(audience === undefined ? {} : { audience }),
  };
  // RFC 6749, section 2.3.1: id and secret are form-encoded before they are joined.
  const basic = base64(utf8(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`));
  // The refresh token is not redacted: many providers return the same refresh token, and it must stay readable in the
  // answer.
  const secrets = [clientSecret].filter(Boolean);
  return inHeader
    ? { url, form, authorization: `Basic ${basic}`, secrets: [...secrets, basic] }
    : { url, form, secrets };
}
