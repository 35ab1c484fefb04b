// Defines the suggested fix of a failed run: a sentence for the operator, and whether a retry may succeed.

export type Fix = {
  /** What the operator of the dead letter should do. */
  readonly suggestedFix: string;
  /** True if a retry may succeed, either unchanged or after the fix. */
  readonly recoverable: boolean;
  /**
   * True if an operator must check or change something before a retry. If false, many dead letters with this error can
   * be retried in one request.
   */
  readonly manualReviewRequired: boolean;
};
export type Fixes = { readonly [code: string]: Fix };

/** The cause may have passed since the failure, so an unchanged retry may succeed. */
export function transient(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: true, manualReviewRequired: false };
}

/** The failure repeats until an operator applies the fix. */
export function fixable(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: true, manualReviewRequired: true };
}

/** A retry cannot succeed or is unsafe; an operator must decide how to continue. */
export function permanent(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: false, manualReviewRequired: true };
}

/** A retry cannot succeed, and the dead letter can be archived without loss. */
export function obsolete(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: false, manualReviewRequired: false };
}
