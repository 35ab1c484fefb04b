// Would-send previews: predicts the requests of a run. It rehearses the run's frozen config with mocked successful
// answers. No secret is decrypted; placeholders show the names of the secrets.
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Interaction } from "#schema/rehearsal.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import { defaults } from "#schema/defaults.ts";
import type { Deps } from "../deps.ts";
import { openLookups } from "./rehearsal-lookups.ts";

/** A run with its frozen config, in which secrets are still slots. */
export type FrozenRun = Pick<Run, "id" | "action" | "type"> & Pick<Ticket, "execution" | "config">;
export type WouldSend = {
  readonly interactions: readonly Interaction[];
  /** The error that would end the attempt; null if the attempt would succeed. */
  readonly error: ActionError | null;
};

export async function wouldSend(deps: Deps, tenant: string, frozen: FrozenRun): Promise<WouldSend> {
  const { id, execution, action, type, config } = frozen;
  const { lookups } = await openLookups(deps, tenant);
  const now = deps.now();
  const timeoutMs = deps.actionTypes[type]?.timeoutMs ?? defaults.timeoutMs;
  const idempotencyKey = `${execution}/${id}`;
  const ticket = { tenant, execution, run: id, attempt: 1, action, type, config, idempotencyKey, timeoutMs };
  const { outcome, interactions } = await deps.rehearse(lookups)(
    { ...ticket, incarnation: now, deadlineAt: now + timeoutMs },
    null,
    now,
  );
  return { interactions, error: outcome.ok ? null : outcome.error };
}
