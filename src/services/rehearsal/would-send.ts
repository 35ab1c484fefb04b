// What a run would send, for looking at: its frozen config, carried out with nothing behind it and every answer as when
// all is well. No secret is opened; their names stand in their places.
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Interaction } from "#schema/rehearsal.ts";
import type { Run, Ticket } from "#schema/engine/run.ts";
import { defaults } from "#schema/defaults.ts";
import type { Deps } from "../deps.ts";
import { openLookups } from "./rehearsal-lookups.ts";

/** Of a run, with its config as it was frozen: secrets are slots in it still. */
export type Frozen = Pick<Run, "id" | "action" | "type"> & Pick<Ticket, "execution" | "config">;
export type WouldSend = {
  readonly interactions: readonly Interaction[];
  /** Why nothing more would be sent; null where it would go through. */
  readonly error: ActionError | null;
};

export async function wouldSend(deps: Deps, tenant: string, frozen: Frozen): Promise<WouldSend> {
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
