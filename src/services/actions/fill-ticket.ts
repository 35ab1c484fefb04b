// Ticket filling: inserts secrets into the config of a claimed run just before the attempt. It opens only the secrets
// that the config names, and only secrets of the run's tenant.
import type { JsonObject } from "#schema/json.ts";
import type { BoundSecret } from "#schema/outgoing/bound-secret.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { fillSecrets, holdsNoSlots, secretNames } from "#schema/secret-slots.ts";
import { openSecrets, type SecretsDeps } from "../secrets/open-secrets.ts";

/**
 * `secrets`: the inserted values, which are then redacted from everything that the attempt returns. `bounds`: those of
 * the secrets that may be sent only to certain hosts, with these hosts.
 */
type TicketSecrets = { readonly secrets: readonly string[]; readonly bounds: readonly BoundSecret[] };
export type FilledTicket =
  | ({ readonly ok: true; readonly ticket: Ticket } & TicketSecrets)
  | { readonly ok: false; readonly error: ActionError };

/** `link`: returns the text that is inserted in place of the unsubscribe link. */
export async function fillTicket(deps: SecretsDeps, ticket: Ticket, link: () => string): Promise<FilledTicket> {
  // Most configs name no secret, so most runs skip the lookup.
  if (holdsNoSlots(ticket.config)) return { ok: true, ticket, secrets: [], bounds: [] };
  const opened = await openSecrets(deps, ticket.tenant, secretNames(ticket.config));
  if (!opened.ok) return opened;
  const filled = fillSecrets(ticket.config, opened.values, link());
  if (!filled.ok) return filled;
  // fillSecrets changes only slots and escaped field names, so the filled config is still an object.
  const config = filled.value as JsonObject;
  return { ok: true, ticket: { ...ticket, config }, secrets: Object.values(opened.values), bounds: opened.bounds };
}
