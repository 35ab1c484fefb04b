// Provider accounts: open a tenant's connection for one run, check its credentials, and read its values. All provider
// runners use this.
import { configurationFailure, type Failure } from "./classify.ts";
import type { OpenConnection, RunnerContext } from "./runner.ts";

type OpenResult =
  | { readonly ok: true; readonly connection: OpenConnection }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Opens the connection and checks its credentials. `needed` lists the accepted combinations of credentials, the
 * most common one first.
 */
export async function openAccount(
  context: RunnerContext,
  name: string | undefined,
  provider: string,
  needed: readonly (readonly string[])[],
): Promise<OpenResult> {
  const opened = await context.connection(name ?? null, provider);
  if (!opened.ok || needed.length === 0) return opened;
  const { connection } = opened;
  if (needed.some((names) => names.every((each) => hasCredential(connection, each)))) return opened;
  const missing = (needed[0] ?? []).filter((each) => !hasCredential(connection, each));
  const message = `the connection ${connection.name} has no ${missing.join(", ")}, which ${provider} requires`;
  return { ok: false, failure: configurationFailure(message, "credential_missing") };
}

function hasCredential(connection: OpenConnection, name: string): boolean {
  return credential(connection, name) !== "";
}

/** Returns the credential of this name; an empty text if the connection does not have it. */
export function credential({ credentials }: Pick<OpenConnection, "credentials">, name: string): string {
  return Object.hasOwn(credentials, name) ? (credentials[name] ?? "") : "";
}

/**
 * Returns a value from the connection's settings, or else from its credentials; an empty text if neither contains it.
 */
export function setting(connection: Pick<OpenConnection, "credentials" | "settings">, name: string): string {
  const value = Object.hasOwn(connection.settings ?? {}, name) ? connection.settings?.[name] : undefined;
  return typeof value === "string" ? value : credential(connection, name);
}

/**
 * The credentials that only identify the account. They are not redacted, because a message's id or an error often
 * contains them and would be unreadable.
 */
const OPEN_CREDENTIALS = new Set(
  "accountSid apiKeySid clientEmail clientId from messagingServiceSid projectId subject username vapidPublicKey".split(
    " ",
  ),
);

/** Returns the connection's secret values, which must be redacted from everything that is stored. */
export function secretsIn({ credentials }: Pick<OpenConnection, "credentials">): string[] {
  return Object.entries(credentials).flatMap(([name, value]) => (OPEN_CREDENTIALS.has(name) ? [] : [value]));
}

/** Returns the URL of a path below the connection's own base URL or, if it has none, below the provider's base URL. */
export function endpointUrl(connection: OpenConnection, own: string, path: string): string {
  return (connection.baseUrl ?? own).replace(/\/+$/, "") + path;
}

/**
 * Calls `call` with the connection's token. If the provider refuses the token, the token is renewed and `call` is
 * called again.
 */
export async function withToken<Answer>(
  connection: Pick<OpenConnection, "token">,
  call: (token: string) => Promise<Answer>,
  isRefused: (answer: Answer) => boolean,
): Promise<Answer | (Failure & { readonly ok: false; readonly answered: null })> {
  const first = await connection.token(null);
  if (!first.ok) return { ok: false, answered: null, ...first.failure };
  const answer = await call(first.token);
  if (!isRefused(answer)) return answer;
  const second = await connection.token(first.token);
  return second.ok ? call(second.token) : { ok: false, answered: null, ...second.failure };
}
