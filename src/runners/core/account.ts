// Accounts: a tenant's account at a provider for one run, opened, with the credentials that it requires.
import { configurationFailure, type Failure } from "./classify.ts";
import type { OpenConnection, RunnerContext } from "./runner.ts";

type Opened =
  | { readonly ok: true; readonly connection: OpenConnection }
  | { readonly ok: false; readonly failure: Failure };

/** `needed` lists the accepted sets of credentials, the usual one first. */
export async function openAccount(
  context: RunnerContext,
  name: string | undefined,
  provider: string,
  needed: readonly (readonly string[])[],
): Promise<Opened> {
  const opened = await context.connection(name ?? null, provider);
  if (!opened.ok || needed.length === 0) return opened;
  const { connection } = opened;
  if (needed.some((names) => names.every((each) => has(connection, each)))) return opened;
  const missing = (needed[0] ?? []).filter((each) => !has(connection, each));
  const message = `the connection ${connection.name} has no ${missing.join(", ")}, which ${provider} requires`;
  return { ok: false, failure: configurationFailure(message, "credential_missing") };
}

function has(connection: OpenConnection, name: string): boolean {
  return credential(connection, name) !== "";
}

/** Empty if there is none. */
export function credential({ credentials }: Pick<OpenConnection, "credentials">, name: string): string {
  return Object.hasOwn(credentials, name) ? (credentials[name] ?? "") : "";
}

/** A value that is not secret belongs in the settings; one among the credentials works, too. */
export function setting(connection: Pick<OpenConnection, "credentials" | "settings">, name: string): string {
  const value = Object.hasOwn(connection.settings ?? {}, name) ? connection.settings?.[name] : undefined;
  return typeof value === "string" ? value : credential(connection, name);
}

/** They identify and do not authorize: useful to read in a message's id or an error. */
const OPEN_CREDENTIALS = new Set(
  "accountSid apiKeySid clientEmail clientId from messagingServiceSid projectId subject username vapidPublicKey".split(
    " ",
  ),
);

/** All values that must be redacted from what is stored. */
export function secretsIn({ credentials }: Pick<OpenConnection, "credentials">): string[] {
  return Object.entries(credentials).flatMap(([name, value]) => (OPEN_CREDENTIALS.has(name) ? [] : [value]));
}

/** The provider's address, or the connection's own base URL. */
export function addressAt(connection: OpenConnection, own: string, path: string): string {
  return (connection.baseUrl ?? own).replace(/\/+$/, "") + path;
}

/** Calls with the connection's token; if it is refused, once again with a renewed one. */
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
