// The response to a sender: the execution, the event for one execution, or the published event.
import type { Effect } from "#schema/inbound/delivery.ts";

export function responseOf(effect: Effect | null): {
  readonly execution: string | null;
  readonly event: string | null;
} {
  if (effect === null) return { execution: null, event: null };
  return {
    execution: effect.kind === "post" ? null : effect.execution,
    event: effect.kind === "start" ? null : effect.key,
  };
}
