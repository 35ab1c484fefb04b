// Callback references: attach the run's reference to a message, so that the provider's callbacks find the run. Only
// messages of connections whose callbacks can be verified get one; other messages stay as they are.
import { callbackCredential, callbackPath } from "#schema/provider/callback-credentials.ts";
import { referenceText, REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import { credential, setting } from "./account.ts";
import type { OpenConnection, RunnerContext } from "./runner.ts";

/**
 * Returns the reference of the run's current attempt; null if the connection's callbacks cannot be verified.
 * `isSameForAttempts`: true if the provider compares the messages of all attempts, which must then have the same bytes.
 */
export function callbackReference(
  connection: OpenConnection,
  { ticket }: Pick<RunnerContext, "ticket">,
  { isSameForAttempts = false } = {},
): string | null {
  const field = callbackCredential(connection.provider);
  if (field === null || credential(connection, field) === "") return null;
  const { execution, run, attempt } = ticket;
  return referenceText({ execution, run, attempt: isSameForAttempts ? null : attempt });
}

/** Returns the URL to which the provider reports about this message; null if no such callbacks are configured. */
export function callbackUrl(
  connection: OpenConnection,
  context: Pick<RunnerContext, "ticket" | "publicUrl">,
): string | null {
  const reference = callbackReference(connection, context);
  const base = setting(connection, "publicUrl") || (context.publicUrl ?? "");
  if (reference === null || base === "") return null;
  const path = callbackPath(connection.provider, context.ticket.tenant, connection.name);
  return `${base.replace(/\/+$/, "")}${path}?${REFERENCE_FIELD}=${reference}`;
}
