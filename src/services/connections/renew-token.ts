// Gets an OAuth2 access token (RFC 6749): called by a connection's object, which sees to it that this happens once.
// The connection says how, or the request is brought along, sealed, by a run whose config or account makes its own.
import { findConnection } from "#catalog/connections.ts";
import type { RenewAsk, Renewed } from "#schema/gate.ts";
import { openNewestSecrets } from "../secrets/open-secrets.ts";
import { connectionRequest } from "./connection-request.ts";
import { openCredentials } from "./connection-credentials.ts";
import type { Deps } from "../deps.ts";
import { obtainToken, type ObtainDeps } from "./obtain-token.ts";
import { openGrant } from "./seal-token.ts";

export type RenewDeps = ObtainDeps & Pick<Deps, "db" | "log" | "signJwt">;

export async function renewToken(deps: RenewDeps, ask: RenewAsk): Promise<Renewed> {
  const { tenant, connection, refresh, grant } = ask;
  const about = { tenant, connection };
  if (grant !== undefined) {
    const opened = await openGrant(deps, about, grant);
    if (opened === null) return failed("service_unavailable", "a token request does not open", "secrets_unreadable");
    return obtainToken(deps, { about, what: "the token endpoint", ...opened, refresh });
  }
  const row = await findConnection(deps.db, tenant, connection);
  const auth = row?.settings.auth;
  if (row === null || auth?.type !== "oauth2")
    return failed("invalid_configuration", "there is no such OAuth2 connection", "auth_missing");
  const credentials = await openCredentials(deps, row, openNewestSecrets);
  if (!credentials.ok) return { ok: false, error: credentials.error };
  const request = await connectionRequest(deps, auth, credentials.values);
  if (request === null) {
    const algorithm = auth.assertion?.algorithm ?? "RS256";
    const message = `the connection ${row.name} holds no private key for ${algorithm} in PEM (PKCS #8)`;
    return failed("invalid_configuration", message, "credential_invalid");
  }
  const { bounds } = credentials;
  const what = `the token endpoint of ${row.name}`;
  const renewed = await obtainToken(deps, { about, what, request, bounds, refresh });
  return renewed.ok ? { ...renewed, asOf: credentials.setAt } : renewed;
}

function failed(type: string, message: string, code: string): Renewed {
  return { ok: false, error: { type, message, retryable: type === "service_unavailable", code } };
}
