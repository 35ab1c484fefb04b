// Provider outages: what a breaker counts against a provider, and what is retried automatically after its recovery.
import type { ActionError } from "./outcome.ts";

/** Errors of an outage: a 5xx, a timeout, or no connection; or a congested chain. */
export const outageTypes = ["timeout", "network_error", "service_unavailable", "network_congestion"] as const;

const away: ReadonlySet<string> = new Set(outageTypes);

export function isOutageType(type: string): boolean {
  return away.has(type);
}

/** Whether the engine would have retried after this error if attempts were left. */
export function isOutage(error: ActionError | null): boolean {
  return error !== null && error.retryable && isOutageType(error.type);
}
