// Ticket filling: inserts secrets into a claimed run's config just before the attempt. It opens only secrets that the
// config names, and only those of the run's tenant.
import type { JsonObject } from "#schema/json.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { fillSecrets, holdsNoSlots, secretNames } from "#schema/secret-slots.ts";
import { openSecrets, type SecretsDeps } from "../secrets/open-secrets.ts";

/**
 * `secrets`: the inserted values, which must be redacted from everything the attempt returns. `bounds`: the host
 * restrictions of those secrets that have one.
 */
type TicketSecrets = { readonly secrets: readonly string[]; readonly bounds: readonly BoundSecret[] };
export type FilledTicket =
  | ({ readonly ok: true; readonly ticket: Ticket } & TicketSecrets)
  | { readonly ok: false; readonly error: ActionError };

export async function fillTicket(deps: SecretsDeps, ticket: Ticket): Promise<FilledTicket> {
  // Most configs name no secret.
  if (holdsNoSlots(ticket.config)) return { ok: true, ticket, secrets: [], bounds: [] };
  const opened = await openSecrets(deps, ticket.tenant, secretNames(ticket.config));
  if (!opened.ok) return opened;
  const filled = fillSecrets(ticket.config, opened.values);
  if (!filled.ok) return filled;
  // fillSecrets replaces only slots and names of fields, so the filled config is still an object.
  const config = filled.value as JsonObject;
  return { ok: true, ticket: { ...ticket, config }, secrets: Object.values(opened.values), bounds: opened.bounds };
}
