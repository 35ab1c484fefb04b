// Puts secrets into a claimed run's configuration, at the last moment: only those it names, only its tenant's.
import type { JsonObject } from "#schema/json.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { fillSecrets, secretNames } from "#schema/secret-slots.ts";
import { openSecrets, type SecretsDeps } from "../secrets/open-secrets.ts";

export type FilledTicket =
  /** `secrets` are the values put in: wherever they come back, they must be taken out. */
  | { readonly ok: true; readonly ticket: Ticket; readonly secrets: readonly string[] }
  | { readonly ok: false; readonly error: ActionError };

export async function fillTicket(deps: SecretsDeps, ticket: Ticket): Promise<FilledTicket> {
  const opened = await openSecrets(deps, ticket.tenant, secretNames(ticket.config));
  if (!opened.ok) return opened;
  const filled = fillSecrets(ticket.config, opened.values);
  if (!filled.ok) return filled;
  // An object stays one: only slots and names of fields change.
  const config = filled.value as JsonObject;
  return { ok: true, ticket: { ...ticket, config }, secrets: Object.values(opened.values) };
}
