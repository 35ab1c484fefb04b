// Connection tests: makes one call to the provider or database that changes nothing.
import type { StoredConnection } from "#catalog/connections.ts";
import type { ConnectionSettings } from "#schema/connection.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Json } from "#schema/json.ts";
import { ACCOUNT_TIMEOUT_MS } from "#schema/limits/outgoing/responses.ts";
import { databaseSettings, type DatabaseSettings } from "#schema/provider/database.ts";
import type { OutboundCall, OutboundAnswer } from "#schema/provider/outbound.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findNamed } from "../named/find-named.ts";
import { tenantSuspended } from "../quotas/take-quota.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";
import { authParts, basic } from "./connection-auth.ts";
import { callbacksOf, type CallbackState } from "./callback-address.ts";
import { openCredentials } from "./connection-credentials.ts";
import { connectionNoun } from "./connections.ts";
import { openConnectionToken } from "./renew-token.ts";
import { recoverConnection } from "./recover-connections.ts";

type ProbedConnection = {
  readonly provider: string;
  readonly settings: ConnectionSettings;
  readonly credentials: { readonly [field: string]: string };
  readonly token: string | null;
};
type Probe = Pick<OutboundCall, "method" | "url" | "headers" | "body">;
/**
 * The call of a provider that changes nothing. `path` is appended to the connection's base URL. If the connection has
 * none, it is appended to the provider's own URL.
 */
type ProviderProbe = {
  readonly defaultBaseUrl: string | null;
  readonly path: string;
  readonly method?: string;
  readonly headers: (request: ProbedConnection) => Probe["headers"];
  readonly body?: string;
};

const bearer = (field: string) => (request: ProbedConnection) => ({
  Authorization: `Bearer ${credential(request, field)}`,
});
const withToken = ({ token }: ProbedConnection) => ({ Authorization: `Bearer ${token ?? ""}` });

const providerProbes: { readonly [provider: string]: ProviderProbe } = {
  sendgrid: { defaultBaseUrl: "https://api.sendgrid.com", path: "/v3/scopes", headers: bearer("apiKey") },
  resend: { defaultBaseUrl: "https://api.resend.com", path: "/domains", headers: bearer("apiKey") },
  twilio: {
    defaultBaseUrl: "https://api.twilio.com",
    path: "/2010-04-01/Accounts/{accountSid}.json",
    headers: (request) => {
      const user = credential(request, "apiKeySid") || credential(request, "accountSid");
      return { Authorization: basic(user, credential(request, "apiKeySecret") || credential(request, "authToken")) };
    },
  },
  slack: {
    defaultBaseUrl: "https://slack.com",
    path: "/api/auth.test",
    method: "POST",
    headers: (request) => ({ Authorization: `Bearer ${credential(request, "token") || (request.token ?? "")}` }),
  },
  docusign: { defaultBaseUrl: "https://account.docusign.com", path: "/oauth/userinfo", headers: withToken },
  evm: {
    defaultBaseUrl: null,
    path: "",
    method: "POST",
    headers: (request) => ({
      "Content-Type": "application/json",
      ...authParts(request.settings, request.credentials, request.token).headers,
    }),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] }),
  },
};

/**
 * Returns a call that changes nothing. Returns null if the provider has no such call, or if the connection has no URL.
 */
export function probeOf(request: ProbedConnection): Probe | null {
  const { provider, settings } = request;
  // A Slack incoming webhook accepts only posts, and each post sends a message.
  if (provider === "slack" && credential(request, "webhookUrl") !== "") return null;
  // DocuSign's runner obtains the token with the account's key, which a test cannot do.
  if (provider === "docusign" && request.token === null) return null;
  if (provider === "database") return databaseProbe(settings, credential(request, "token"));
  const providerProbe = Object.hasOwn(providerProbes, provider) ? providerProbes[provider] : undefined;
  const base = settings.baseUrl ?? providerProbe?.defaultBaseUrl ?? null;
  if (base === null) return null;
  if (providerProbe === undefined) return genericProbe(request, base);
  const path = providerProbe.path.replace(/\{(\w+)\}/g, (_all, field: string) =>
    encodeURIComponent(credential(request, field)),
  );
  return {
    method: providerProbe.method ?? "GET",
    url: base.replace(/\/+$/, "") + path,
    headers: providerProbe.headers(request),
    body: providerProbe.body ?? null,
  };
}

function genericProbe({ settings, credentials, token }: ProbedConnection, base: string): Probe {
  const { headers, query } = authParts(settings, credentials, token);
  const url = new URL(base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { method: "GET", url: url.href, headers, body: null };
}

function credential({ credentials }: ProbedConnection, field: string): string {
  return Object.hasOwn(credentials, field) ? (credentials[field] ?? "") : "";
}

type ProbeOfDatabaseProbe = Pick<OutboundCall, "method" | "url" | "headers" | "body">;

const SQL = "SELECT 1";

/**
 * Returns a query that reads no rows. Returns null if the settings name no database, or if a libSQL connection has no
 * URL.
 */
export function databaseProbe({ baseUrl, settings }: ConnectionSettings, token: string): ProbeOfDatabaseProbe | null {
  const parsed = databaseSettings.safeParse(settings ?? {});
  const request = parsed.success ? databaseQuery(parsed.data, baseUrl?.replace(/\/+$/, "")) : null;
  if (request === null) return null;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return { method: "POST", url: request.url, headers, body: JSON.stringify(request.body) };
}

function databaseQuery(settings: DatabaseSettings, base: string | undefined): { url: string; body: object } | null {
  switch (settings.protocol) {
    case "d1": {
      const { accountId, databaseId } = settings;
      const path = `/client/v4/accounts/${accountId}/d1/database/${databaseId}/query`;
      return { url: (base ?? "https://api.cloudflare.com") + path, body: { sql: SQL } };
    }
    case "libsql": {
      const requests = [{ type: "execute", stmt: { sql: SQL } }, { type: "close" }];
      return base === undefined ? null : { url: `${base}/v2/pipeline`, body: { requests } };
    }
  }
}

export type TestedConnection = {
  readonly ok: boolean;
  /** The HTTP status of the provider's answer; null if the provider was not called, or did not answer. */
  readonly status: number | null;
  readonly latencyMs: number | null;
  readonly findings: readonly Finding[];
  /** Whether the provider's callbacks reach their runs. The test does not wait for a callback. */
  readonly callbacks: CallbackState;
};

export async function testConnection(
  deps: Deps,
  caller: TenantCaller,
  { ref }: { readonly ref: string },
): Promise<Result<TestedConnection>> {
  const { suspended } = await tenantSettingsOf(deps, caller.tenant);
  if (suspended !== null) return refuse(tenantSuspended(suspended));
  const found = await findNamed(deps, caller, connectionNoun, ref);
  if (!found.ok) return found;
  const result = await runProbe(deps, found.value);
  if (result.ok && found.value.attention !== null) await recoverConnection(deps, found.value);
  return accept({ ...result, callbacks: callbacksOf(deps, found.value).state });
}

type ProbeResult = Omit<TestedConnection, "callbacks">;

async function runProbe(deps: Deps, row: StoredConnection): Promise<ProbeResult> {
  const credentials = await openCredentials(deps, row);
  if (!credentials.ok) return notCalled(secretFindings(row, credentials.error, credentials.fields));
  const secrets = Object.values(credentials.values);
  const runSecrets = { secrets, bounds: credentials.bounds };
  const token =
    row.settings.auth?.type === "oauth2"
      ? await openConnectionToken(deps, row, credentials, runSecrets, true)(null)
      : null;
  if (token?.ok === false) return notCalled([findingOf("/auth", token.failure.error)]);
  const { provider, settings } = row;
  const probe = probeOf({ provider, settings, credentials: credentials.values, token: token?.token ?? null });
  if (probe === null) return notCalled([nothingToCall(provider)]);
  const startedAt = deps.now();
  const answer = await deps.callOut({ ...probe, timeoutMs: ACCOUNT_TIMEOUT_MS, secrets, bounds: credentials.bounds });
  const latencyMs = deps.now() - startedAt;
  const findings = findingsOf(provider, answer);
  return { ok: findings.length === 0, status: answer.status, latencyMs, findings };
}

function notCalled(findings: readonly Finding[]): ProbeResult {
  return { ok: false, status: null, latencyMs: null, findings };
}

function secretFindings(row: StoredConnection, error: ActionError, fields: readonly string[]): readonly Finding[] {
  if (fields.length === 0) return [findingOf("/credentials", error)];
  return fields.map((field) => ({
    pointer: `/credentials/${field}`,
    code: "secret_missing",
    message: `the secret ${row.settings.credentials?.[field] ?? field} is not set`,
    hint: "Set the secret with PUT /v1/secrets/{name}.",
  }));
}

function findingsOf(provider: string, answer: OutboundAnswer): readonly Finding[] {
  if (!answer.ok)
    return [findingOf(answer.error.type === "authentication_failed" ? "/credentials" : "/baseUrl", answer.error)];
  // Slack returns status 200 for every request, so the error is in the body.
  const refused = provider === "slack" ? slackError(answer.data) : null;
  return refused === null ? [] : [{ pointer: "/credentials", code: refused, message: `slack refused: ${refused}` }];
}

function slackError(data: Json): string | null {
  if (typeof data !== "object" || data === null || !("ok" in data) || data.ok !== false) return null;
  return "error" in data && typeof data.error === "string" ? data.error.slice(0, 100) : "refused";
}

function findingOf(pointer: string, { type, code, message }: ActionError): Finding {
  return { pointer, code: code ?? type, message };
}

function nothingToCall(provider: string): Finding {
  const message = `the engine can read the secrets, but ${provider} has no call without side effects that could test the connection`;
  return {
    pointer: "/baseUrl",
    code: "not_testable",
    message,
    hint: "Set the connection's baseUrl, so that the test can send a request to it.",
  };
}
