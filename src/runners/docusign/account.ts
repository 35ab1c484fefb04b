// DocuSign accounts: read the base URL of a tenant's account from its connection, and obtain access tokens with its key
// (JWT grant, RFC 7523).
import { credential, secretsIn, setting } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { importRsaKey, signJwt } from "../core/jwt.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { ownToken } from "../http/own-token.ts";

const SCOPE = "signature impersonation";
/** The validity of the assertion, in seconds. DocuSign's tokens last an hour, whatever the assertion requests. */
const ASSERTED_FOR_S = 60 * 60;
const DEMO = { base: "https://demo.docusign.net", auth: "https://account-d.docusign.com" };
const AUTH = "https://account.docusign.com";

export type DocusignAccount = {
  /** The base URL of the account's API. */
  readonly url: string;
  /** Values to redact. The access token is added to the list as soon as it is known. */
  readonly secrets: readonly string[];
  readonly token: OpenConnection["token"];
};

export function docusignAccount(
  connection: OpenConnection,
  context: RunnerContext,
): ({ readonly ok: true } & DocusignAccount) | (Failure & { readonly ok: false }) {
  const missing = (name: string, message: string) =>
    ({ ok: false, ...configurationFailure(message, `${name}_missing`) }) as const;
  const { name, sandbox } = connection;
  const accountId = setting(connection, "accountId");
  const base = connection.baseUrl ?? (setting(connection, "baseUri") || (sandbox ? DEMO.base : ""));
  if (accountId === "")
    return missing("account_id", `the connection ${name} has no accountId, which is the API account's GUID`);
  if (base === "") {
    const where = "the base_uri from GET https://account.docusign.com/oauth/userinfo, such as https://na3.docusign.net";
    return missing("base_url", `the connection ${name} needs a baseUrl or sandbox: true; baseUrl is ${where}`);
  }
  const secrets = secretsIn(connection).flatMap((secret) => [secret, ...secret.split(/\s+/)]);
  const url = `${base.replace(/\/+$/, "").replace(/\/restapi$/, "")}/restapi/v2.1/accounts/${encodeURIComponent(accountId)}`;
  return { ok: true, url, secrets, token: tokenFor(connection, secrets, context) };
}

/**
 * Returns the connection's own tokens if its `auth` provides them (OAuth2 with a refresh token), otherwise tokens of
 * the JWT grant.
 */
function tokenFor(
  connection: OpenConnection,
  secrets: readonly string[],
  context: RunnerContext,
): OpenConnection["token"] {
  const kind = connection.auth?.type;
  if (kind === "oauth2" || kind === "bearer") return connection.token;
  return (refused) => jwtToken(connection, refused, secrets, context);
}

async function jwtToken(
  connection: OpenConnection,
  refused: string | null,
  secrets: readonly string[],
  context: RunnerContext,
): ReturnType<OpenConnection["token"]> {
  const server = (setting(connection, "authServer") || (connection.sandbox ? DEMO.auth : AUTH)).replace(/\/+$/, "");
  const [iss, sub] = [setting(connection, "integrationKey"), setting(connection, "userId")];
  const missingNames = [iss === "" ? "integrationKey" : "", sub === "" ? "userId" : ""].filter(Boolean);
  if (missingNames.length > 0 || !URL.canParse(server)) {
    const problem =
      missingNames.length > 0 ? `has no ${missingNames.join(", ")}` : "has an authServer that is not a URL";
    return {
      ok: false,
      failure: configurationFailure(`the connection ${connection.name} ${problem}`, "credential_missing"),
    };
  }
  const request = async () => {
    const key = await importRsaKey(credential(connection, "privateKey"));
    if (key === null) {
      const message = `the connection ${connection.name} has no RSA private key in PEM`;
      return { ok: false, ...configurationFailure(message, "credential_invalid") } as const;
    }
    const iat = Math.floor(context.now() / 1000);
    const claims = { iss, sub, aud: new URL(server).host, iat, exp: iat + ASSERTED_FOR_S, scope: SCOPE };
    const assertion = await signJwt("RS256", key, claims);
    const form = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion };
    const explained = { consent_required: consentInstruction(server, iss) };
    const tokenRequest = { url: `${server}/oauth/token`, form, explained, secrets: [...secrets, assertion] };
    return { ok: true, request: tokenRequest } as const;
  };
  return ownToken({ owner: [server, iss, sub], secrets, request }, refused, context, connection);
}

/** Explains how the user grants consent. Only a person can grant it, in a browser. */
function consentInstruction(server: string, integrationKey: string): string {
  const query = `response_type=code&scope=${encodeURIComponent(SCOPE)}&client_id=${encodeURIComponent(integrationKey)}`;
  return `DocuSign issued no token (consent_required): the user must first allow the application to act for them. The user must open ${server}/oauth/auth?${query}&redirect_uri=<one of the application's own> once, sign in and accept`;
}
