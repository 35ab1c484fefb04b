// A suggested fix for a failed run: a sentence, and two facts that decide who must act.

export type Fix = {
  /** The instruction for the operator of the dead letter. */
  readonly suggestedFix: string;
  /** A retry may succeed: unchanged, or after the fix. */
  readonly recoverable: boolean;
  /** An operator must check or change something first. If false, many such dead letters can be retried at once. */
  readonly manualReviewRequired: boolean;
};
export type Fixes = { readonly [code: string]: Fix };

/** Time may have resolved the cause. */
export function transient(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: true, manualReviewRequired: false };
}

/** A failure that recurs until the fix is applied. */
export function fixable(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: true, manualReviewRequired: true };
}

/** A retry cannot succeed or must not be made; an operator decides what to do instead. */
export function permanent(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: false, manualReviewRequired: true };
}

/** A retry cannot succeed, and archiving loses nothing. */
export function obsolete(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: false, manualReviewRequired: false };
}
