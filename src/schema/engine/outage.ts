// Provider outages: the errors that a breaker counts. After the provider has recovered, dead letters with these errors
// are retried automatically.
import type { ActionError } from "./outcome.ts";

/** Error types that an outage causes: a 5xx, a timeout, no connection, or a congested chain. */
export const outageTypes = ["timeout", "network_error", "service_unavailable", "network_congestion"] as const;

const away: ReadonlySet<string> = new Set(outageTypes);

export function isOutageType(type: string): boolean {
  return away.has(type);
}

/** Returns true for a retryable error whose type is one of those. */
export function isOutage(error: ActionError | null): boolean {
  return error !== null && error.retryable && isOutageType(error.type);
}
