// Builds the response to a sender: the ids of the execution or event that the delivery has created.
import type { Effect } from "#schema/inbound/delivery.ts";

export function senderResponse(effect: Effect | null): {
  readonly execution: string | null;
  readonly event: string | null;
} {
  if (effect === null) return { execution: null, event: null };
  return {
    execution: effect.kind === "post" ? null : effect.execution,
    event: effect.kind === "start" ? null : effect.key,
  };
}
