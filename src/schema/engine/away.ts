// When a provider counts as being away: what a breaker counts against it, and what goes out again by itself once it is back.
import type { ActionError } from "./outcome.ts";

/** Errors that say so. It answered with a 5xx, or not in time, or could not be reached; or a chain had no room. */
export const awayTypes = ["timeout", "network_error", "service_unavailable", "network_congestion"] as const;

const away: ReadonlySet<string> = new Set(awayTypes);

export function isAwayType(type: string): boolean {
  return away.has(type);
}

/** It would have been tried again, had there been tries left. */
export function isAway(error: ActionError | null): boolean {
  return error !== null && error.retryable && isAwayType(error.type);
}
