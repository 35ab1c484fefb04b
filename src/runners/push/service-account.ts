// Service accounts: read a Google service account from a connection, and obtain access tokens with its key (RFC 7523).
import type { Json } from "#schema/json.ts";
import { credential } from "../core/account.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { signJwt } from "../core/jwt.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { ownToken } from "../http/own-token.ts";

const TOKEN_URL = "https://oauth2.googleapis.com/token";
/** The validity of the assertion, in seconds. Google refuses a longer validity. */
const ASSERTED_FOR_S = 60 * 60;

export type ServiceAccount = {
  readonly projectId: string;
  readonly email: string;
  readonly privateKey: string;
  readonly tokenUrl: string;
};

/**
 * Reads the service account from Google's JSON file, or from its three separate values. Returns null if a value is
 * missing.
 */
export function serviceAccountOf(connection: OpenConnection): ServiceAccount | null {
  const file = parsed(credential(connection, "serviceAccount"));
  const projectId = textAt(file, "/project_id") ?? credential(connection, "projectId");
  const email = textAt(file, "/client_email") ?? credential(connection, "clientEmail");
  const privateKey = textAt(file, "/private_key") ?? credential(connection, "privateKey");
  const tokenUrl = textAt(file, "/token_uri") ?? TOKEN_URL;
  return projectId === "" || email === "" || privateKey === "" ? null : { projectId, email, privateKey, tokenUrl };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json; // JSON.parse returns only JSON
  } catch {
    return null;
  }
}

type TokenPorts = { readonly connection: OpenConnection; readonly context: RunnerContext };

export function serviceToken(
  { email, tokenUrl }: ServiceAccount,
  scope: string,
  key: CryptoKey,
  secrets: readonly string[],
  { connection, context }: TokenPorts,
): OpenConnection["token"] {
  const request = async () => {
    const iat = Math.floor(context.now() / 1000);
    const claims = { iss: email, scope, aud: tokenUrl, iat, exp: iat + ASSERTED_FOR_S };
    const assertion = await signJwt("RS256", key, claims);
    const form = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion };
    return { ok: true, request: { url: tokenUrl, form, secrets: [...secrets, assertion] } } as const;
  };
  return (refused) => ownToken({ owner: [tokenUrl, scope, email], secrets, request }, refused, context, connection);
}
