// Subjects of executions: the admission of a start by the subject's object, and the subject that an execution stores.

/** The admission of a start by the subject's object. */
export type Admission = {
  /** The subject's key. */
  readonly key: string;
  /** The start is refused after this instant, in epoch ms. null: the start was admitted before, and may be a repeat. */
  readonly until: number | null;
};

/** The subject that an execution stores: its key. */
export type SubjectRef = { readonly key: string };
