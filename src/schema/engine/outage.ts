// Provider outages: the errors that a breaker counts. Dead letters with these errors are retried automatically after
// the provider's recovery.
import type { ActionError } from "./outcome.ts";

/** Error types of an outage: a 5xx, a timeout, no connection, or a congested chain. */
export const outageTypes = ["timeout", "network_error", "service_unavailable", "network_congestion"] as const;

const away: ReadonlySet<string> = new Set(outageTypes);

export function isOutageType(type: string): boolean {
  return away.has(type);
}

/** Returns true for a retryable error of an outage. */
export function isOutage(error: ActionError | null): boolean {
  return error !== null && error.retryable && isOutageType(error.type);
}
