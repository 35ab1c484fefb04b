// How a connection authenticates, apart from what a provider's runner does by itself: the headers and query values
// that its `auth` adds to a request, and the digest that tells one way from another.
import type { ConnectionSettings } from "#schema/connection.ts";
import type { Json } from "#schema/json.ts";
import { fingerprint } from "../caller/stored-responses.ts";

export type AuthParts = {
  readonly headers: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
};

type Credentials = { readonly [field: string]: string };

/** `token` is what OAuth2 gave; null where the connection has none. */
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

/** Changes with the endpoint, the scopes and the names of the secrets: a token got otherwise is another token. */
export function authKey({ auth, credentials }: ConnectionSettings): Promise<string> {
  return shortDigest({ auth, credentials: credentials ?? null } as Json); // parsed JSON both
}

/** Refresh tokens that come one from the other stay good when only the scopes change. */
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
