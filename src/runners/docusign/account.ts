// A tenant's DocuSign account: where its API stands, and the access tokens it gets with its key (JWT grant, RFC 7523).
import { credential, secretsIn, setting } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { rsaKey, signedJwt } from "../core/jwt.ts";
import type { OpenConnection, RunnerContext } from "../core/runner.ts";
import { ownToken } from "../http/own-token.ts";

const SCOPE = "signature impersonation";
/** DocuSign's tokens live an hour whatever the assertion says. */
const ASSERTED_FOR_S = 60 * 60;
const DEMO = { base: "https://demo.docusign.net", auth: "https://account-d.docusign.com" };
const AUTH = "https://account.docusign.com";

export type DocusignAccount = {
  /** Everything of the account's stands below it. */
  readonly url: string;
  /** What must not come back in what is kept, as far as it is known before there is a token. */
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
    const where =
      "the base_uri that GET https://account.docusign.com/oauth/userinfo gives, such as https://na3.docusign.net";
    return missing("base_url", `the connection ${name} has neither baseUrl nor sandbox: true; baseUrl is ${where}`);
  }
  const secrets = secretsIn(connection).flatMap((secret) => [secret, ...secret.split(/\s+/)]);
  const url = `${base.replace(/\/+$/, "").replace(/\/restapi$/, "")}/restapi/v2.1/accounts/${encodeURIComponent(accountId)}`;
  return { ok: true, url, secrets, token: tokenFor(connection, secrets, context) };
}

/** A connection that says how it authenticates (OAuth2 with a refresh token) has tokens of its own. */
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
  const lacking = [iss === "" ? "integrationKey" : "", sub === "" ? "userId" : ""].filter(Boolean);
  if (lacking.length > 0 || !URL.canParse(server)) {
    const what = lacking.length > 0 ? `has no ${lacking.join(", ")}` : "has an authServer that is no URL";
    return {
      ok: false,
      failure: configurationFailure(`the connection ${connection.name} ${what}`, "credential_missing"),
    };
  }
  const request = async () => {
    const key = await rsaKey(credential(connection, "privateKey"));
    if (key === null) {
      const message = `the connection ${connection.name} holds no RSA private key in PEM`;
      return { ok: false, ...configurationFailure(message, "credential_invalid") } as const;
    }
    const iat = Math.floor(context.now() / 1000);
    const claims = { iss, sub, aud: new URL(server).host, iat, exp: iat + ASSERTED_FOR_S, scope: SCOPE };
    const assertion = await signedJwt("RS256", key, claims);
    const form = { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion };
    const explained = { consent_required: consentRequired(server, iss) };
    const asked = { url: `${server}/oauth/token`, form, explained, secrets: [...secrets, assertion] };
    return { ok: true, request: asked } as const;
  };
  return ownToken({ owner: [server, iss, sub], secrets, request }, refused, context, connection);
}

/** What only a person can do, in words that say what it is. */
function consentRequired(server: string, integrationKey: string): string {
  const query = `response_type=code&scope=${encodeURIComponent(SCOPE)}&client_id=${encodeURIComponent(integrationKey)}`;
  return (
    `DocuSign gives no token (consent_required): the user has not yet allowed the application to act for them. Let them open ` +
    `${server}/oauth/auth?${query}&redirect_uri=<one of the application's own> once, sign in and accept`
  );
}
