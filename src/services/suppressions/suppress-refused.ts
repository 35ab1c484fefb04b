// Suppression after an attempt: adds the recipient to the tenant's suppression list if the provider has refused it
// permanently.
import { refusedRecipient } from "#policy/suppressions/refused-recipient.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Deps } from "../deps.ts";
import { addSuppression } from "./add-suppression.ts";

/** Returns the outcome unchanged. If the catalog does not answer, the next refusal adds the suppression. */
export async function suppressRefused(
  deps: Pick<Deps, "db" | "now" | "log">,
  { tenant, execution, run, type, config }: Ticket,
  outcome: Outcome,
): Promise<Outcome> {
  const refused = refusedRecipient(type, config, outcome);
  if (refused === null) return outcome;
  const connection = outcome.ok ? undefined : outcome.error.connection;
  const source = { execution, run, at: deps.now(), ...(connection === undefined ? {} : { connection }) };
  try {
    await addSuppression(deps, tenant, { ...refused, source });
  } catch (cause) {
    deps.log({ level: "warn", event: "suppression_not_added", tenant, execution, run, message: String(cause) });
  }
  return outcome;
}
