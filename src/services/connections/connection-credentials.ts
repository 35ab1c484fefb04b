// Connection credentials: opens the secrets that a connection names, for one attempt or one test.
import type { StoredConnection } from "#catalog/connections.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { openSecrets, type SecretsDeps } from "../secrets/open-secrets.ts";

export type OpenedCredentials =
  | {
      readonly ok: true;
      readonly values: { readonly [field: string]: string };
      /** Those of the secrets that may be sent only to certain hosts, with these hosts. */
      readonly bounds: readonly BoundSecret[];
      /** When the newest of the secrets was set, in epoch ms. */
      readonly setAt: number;
    }
  /** `fields`: the credential fields whose secret is not set. It is empty if the secrets cannot be read at all. */
  | { readonly ok: false; readonly error: ActionError; readonly fields: readonly string[] };

export async function openCredentials(
  deps: SecretsDeps,
  row: StoredConnection,
  open: typeof openSecrets = openSecrets,
): Promise<OpenedCredentials> {
  const named = Object.entries(row.settings.credentials ?? {});
  const opened = await open(deps, row.tenant, [...new Set(named.map(([, secret]) => secret))]);
  if (!opened.ok) return { ...opened, fields: [] };
  const { values, bounds, setAt } = opened;
  const missing = named.filter(([, secret]) => !Object.hasOwn(values, secret));
  if (missing.length === 0) {
    const each = named.map(([field, secret]) => [field, values[secret] ?? ""]);
    return { ok: true, values: Object.fromEntries(each), bounds, setAt };
  }
  const which = missing.map(([field, secret]) => `${secret} (its ${field})`).join(", ");
  const message = `the connection ${row.name} names secrets that are not set: ${which}`;
  const details = { missing: missing.map(([, secret]) => secret) };
  const error: ActionError = {
    type: "invalid_configuration",
    message,
    retryable: false,
    code: "secret_missing",
    details,
  };
  return { ok: false, error, fields: missing.map(([field]) => field) };
}
