// What a sender is told that its delivery came to: an execution, the event that is for it, or an event for whom it concerns.
import type { Effect } from "#schema/inbound/delivery.ts";

export function toldOf(effect: Effect | null): { readonly execution: string | null; readonly event: string | null } {
  if (effect === null) return { execution: null, event: null };
  return {
    execution: effect.kind === "post" ? null : effect.execution,
    event: effect.kind === "start" ? null : effect.key,
  };
}
