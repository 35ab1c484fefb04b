// Subject of an execution: its subject's object admits it and is notified of its end.

/** The admission in a start. */
export type Admission = {
  /** The subject's key. */
  readonly key: string;
  /** Until when it may begin; null: it was admitted before, so the first answer is repeated, if there is one. */
  readonly until: number | null;
};

/** The part that an execution stores. */
export type SubjectRef = { readonly key: string };
