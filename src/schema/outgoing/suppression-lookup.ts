// Suppression lookups: how a runner asks which of its recipients are suppressed.
import type { ActionError } from "../engine/outcome.ts";
import type { SuppressionChannel } from "./suppression.ts";

export type SuppressionQuestion = {
  readonly channel: SuppressionChannel;
  readonly addresses: readonly string[];
  /** The action's setting `heedSuppressions`. */
  readonly isHeeding: boolean;
};

/** Returns the suppressed ones of the addresses, in their order. A failure means that the list could not be read. */
export type SuppressionLookup = (
  question: SuppressionQuestion,
) => Promise<
  | { readonly ok: true; readonly suppressed: readonly string[] }
  | { readonly ok: false; readonly failure: { readonly error: ActionError } }
>;
