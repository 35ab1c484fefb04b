// Owned messages: decides whether a callback is about a message that the run has sent. A signature proves only that the
// provider's account sent the callback, and other programs may use the same account.
import type { RunReference } from "#schema/outgoing/run-reference.ts";

/** The facts about a run that are known. Those of a deleted execution come from the catalog, which has fewer. */
export type SentRun = {
  readonly action: string;
  readonly type: string;
  readonly definition: string;
  readonly incarnation: number;
  /** The number of the last attempt. */
  readonly attempt: number;
  /** The connection that the config names; null if it names none, or if the config is unknown. */
  readonly connection: string | null;
  /** The provider in the run's result; null if it is unknown. */
  readonly provider: string | null;
  /** The id with which the provider accepted the message of the last attempt; null if it is unknown. */
  readonly messageId: string | null;
  /** True if the execution accepts no further event, because it has ended. */
  readonly isEnded: boolean;
};

/**
 * The message as the callback describes it. `connection`: the name and the id of the connection in the called
 * URL; null if the URL names none.
 */
export type ClaimedMessage = {
  readonly reference: Pick<RunReference, "attempt">;
  readonly messageId: string | null;
  /** Null if a device sent the callback, whichever provider delivered the message. */
  readonly provider: string | null;
  readonly actionType: string;
  readonly connection: readonly string[] | null;
  readonly isSameMessage: (sent: string, reported: string) => boolean;
};

/** Returns true if nothing that is known about the run contradicts the callback. */
export function isOwnMessage(run: SentRun, claimed: ClaimedMessage): boolean {
  const { reference, actionType, provider, connection } = claimed;
  if (run.type !== actionType) return false;
  if (run.provider !== null && provider !== null && run.provider !== provider) return false;
  if (run.connection !== null && connection !== null && !connection.includes(run.connection)) return false;
  const attempt = reference.attempt ?? run.attempt;
  if (attempt < 1 || attempt > run.attempt) return false;
  return isMessageOfAttempt(run, claimed);
}

/** The id of the message is known of the attempt that succeeded, which is the last one. */
function isMessageOfAttempt(run: SentRun, { reference, messageId, isSameMessage }: ClaimedMessage): boolean {
  if (run.messageId === null || messageId === null) return true;
  const isSame = isSameMessage(run.messageId, messageId);
  const isOfLast = reference.attempt === null || reference.attempt === run.attempt;
  return isSame === isOfLast;
}
