// Connection authentication: builds the headers and query values that a connection's `auth` adds to a request, and a
// digest that identifies the method. Runners of known providers add authentication of their own.
import type { ConnectionSettings } from "#schema/connection.ts";
import type { Json } from "#schema/json.ts";
import { fingerprint } from "../caller/fingerprint.ts";

export type AuthParts = {
  readonly headers: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
};

type Credentials = { readonly [field: string]: string };

/**
 * Returns the authentication of a request. `token` is the OAuth2 access token; null if the connection's method uses
 * none.
 */
export function authParts({ auth }: ConnectionSettings, credentials: Credentials, token: string | null): AuthParts {
  switch (auth?.type) {
    case undefined:
    case "none":
      return { headers: {}, query: {} };
    case "basic":
      return authorization(basic(credentials.username ?? "", credentials.password ?? ""));
    case "bearer":
      return authorization(`Bearer ${credentials.token ?? ""}`);
    case "api_key": {
      const key = credentials.apiKey ?? "";
      return auth.header === undefined
        ? { headers: {}, query: { [auth.query ?? "key"]: key } }
        : { headers: { [auth.header]: key }, query: {} };
    }
    case "oauth2":
      return token === null ? { headers: {}, query: {} } : authorization(`Bearer ${token}`);
  }
}

export function basic(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}

/**
 * Returns a digest of the values that determine an access token: the endpoint, the scopes and the names of the secrets.
 * A cached token with another digest is not used.
 */
export function authKey({ auth, credentials }: ConnectionSettings): Promise<string> {
  return shortDigest({ auth, credentials: credentials ?? null } as Json); // Settings and credentials are parsed JSON.
}

/**
 * Returns the digest that identifies a chain of refresh tokens. The digest does not contain the scopes, because the
 * chain stays valid if only the scopes change.
 */
export function chainKey(tokenEndpoint: string, credentials: ConnectionSettings["credentials"]): Promise<string> {
  const { clientId = null, refreshToken = null } = credentials ?? {};
  return shortDigest({ tokenEndpoint, clientId, refreshToken });
}

async function shortDigest(value: Json): Promise<string> {
  return (await fingerprint(value)).slice(0, 16);
}

function authorization(value: string): AuthParts {
  return { headers: { Authorization: value }, query: {} };
}
