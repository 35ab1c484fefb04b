// Blocking reasons: decides whether a suppressed address may still get a message.
import { suppressionReasons, type ReasonSources, type SuppressionReason } from "#schema/outgoing/suppression.ts";

/**
 * The reasons that an action with `heedSuppressions: false` ignores. The other reasons always apply: messages to an
 * address that does not exist, or that reported spam, damage the sender's reputation at the provider.
 */
const IGNORABLE: ReadonlySet<SuppressionReason> = new Set(["unsubscribe", "manual"]);

/** Returns the strongest reason that blocks a message; null if no reason does. `isHeeding`: the action's setting. */
export function blockingReason(reasons: ReasonSources, isHeeding: boolean): SuppressionReason | null {
  const blocking = suppressionReasons.filter((reason) => isHeeding || !IGNORABLE.has(reason));
  return blocking.find((reason) => reasons[reason] !== undefined) ?? null;
}
