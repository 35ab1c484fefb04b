// What a person is told to do about a failed run: a sentence, and the two facts that decide who has to act.

export type Fix = {
  /** What to do, said to whoever looks at the dead letter. */
  readonly suggestedFix: string;
  /** Sending it again may help: as it is, or once the sentence has been followed. */
  readonly recoverable: boolean;
  /** Somebody has to look or change something first. Where not, it can be sent again as it is, a thousand at a time. */
  readonly manualReviewRequired: boolean;
};
export type Fixes = { readonly [code: string]: Fix };

/** Time alone may have mended it. */
export function transient(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: true, manualReviewRequired: false };
}

/** It fails the same way until the sentence has been followed. */
export function fixable(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: true, manualReviewRequired: true };
}

/** Sending it again leads nowhere, or must not be done: somebody decides what takes its place. */
export function permanent(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: false, manualReviewRequired: true };
}

/** Sending it again leads nowhere, and nothing is lost by letting it lie. */
export function obsolete(suggestedFix: string): Fix {
  return { suggestedFix, recoverable: false, manualReviewRequired: false };
}
