// Tries a connection out: are its secrets set, does it get a token, does the provider take them? It calls past the
// gate, since a person who tests wants to know now. No answer ever holds a secret.
import type { StoredConnection } from "#catalog/connections.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import type { Json } from "#schema/json.ts";
import { ACCOUNT_TIMEOUT_MS } from "#schema/limits/runners.ts";
import { openCredentials } from "./connection-credentials.ts";
import { probeOf } from "./connection-probe.ts";
import { tokenOf } from "./connection-token.ts";
import { findNamed } from "../named/find-named.ts";
import { tenantSuspended } from "../quotas/take-quota.ts";
import { mendConnection } from "./mend-connections.ts";
import { termsOf } from "../quotas/tenant-terms.ts";
import { connectionNoun } from "./connection-noun.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import type { OutboundAnswer } from "#schema/provider/outbound.ts";

export type TestedConnection = {
  readonly ok: boolean;
  /** What the provider answered; null where it was not asked, or gave no answer. */
  readonly status: number | null;
  readonly latencyMs: number | null;
  readonly findings: readonly Finding[];
};

export async function testConnection(
  deps: Deps,
  caller: TenantCaller,
  { ref }: { readonly ref: string },
): Promise<Result<TestedConnection>> {
  const { suspended } = await termsOf(deps, caller.tenant);
  if (suspended !== null) return refuse(tenantSuspended(suspended));
  const found = await findNamed(deps, caller, connectionNoun, ref);
  if (!found.ok) return found;
  const said = await tested(deps, found.value);
  if (said.ok && found.value.attention !== null) await mendConnection(deps, found.value);
  return accept(said);
}

async function tested(deps: Deps, row: StoredConnection): Promise<TestedConnection> {
  const credentials = await openCredentials(deps, row);
  if (!credentials.ok) return notAsked(secretFindings(row, credentials.error, credentials.fields));
  const secrets = Object.values(credentials.values);
  const given = { secrets, bounds: credentials.bounds };
  const token = row.settings.auth?.type === "oauth2" ? await tokenOf(deps, row, credentials, given, true)(null) : null;
  if (token?.ok === false) return notAsked([findingOf("/auth", token.failure.error)]);
  const { provider, settings } = row;
  const probe = probeOf({ provider, settings, credentials: credentials.values, token: token?.token ?? null });
  if (probe === null) return notAsked([nothingToCall(provider)]);
  const startedAt = deps.now();
  const answer = await deps.callOut({ ...probe, timeoutMs: ACCOUNT_TIMEOUT_MS, secrets, bounds: credentials.bounds });
  const latencyMs = deps.now() - startedAt;
  const findings = findingsOf(provider, answer);
  return { ok: findings.length === 0, status: answer.status, latencyMs, findings };
}

function notAsked(findings: readonly Finding[]): TestedConnection {
  return { ok: false, status: null, latencyMs: null, findings };
}

function secretFindings(row: StoredConnection, error: ActionError, fields: readonly string[]): readonly Finding[] {
  if (fields.length === 0) return [findingOf("/credentials", error)];
  return fields.map((field) => ({
    pointer: `/credentials/${field}`,
    code: "secret_missing",
    message: `the secret ${row.settings.credentials?.[field] ?? field} is not set`,
    hint: "PUT /v1/secrets/{name} sets it",
  }));
}

function findingsOf(provider: string, answer: OutboundAnswer): readonly Finding[] {
  if (!answer.ok)
    return [findingOf(answer.error.type === "authentication_failed" ? "/credentials" : "/baseUrl", answer.error)];
  // Slack answers 200 to everything, and means what stands inside.
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
  const message = `its secrets open; beyond that, no call without an effect is known for ${provider}`;
  return { pointer: "/baseUrl", code: "not_testable", message, hint: "a baseUrl would be asked for" };
}
