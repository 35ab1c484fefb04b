// Subjects of executions: the admission of a start by the subject's object, and what an execution stores of its
// subject.

/** The permission to start an execution for a subject. The subject's object gives it. */
export type Admission = {
  /** The subject's key. */
  readonly key: string;
  /**
   * The latest time, in epoch ms, at which the execution may start. Null: an earlier request with this id was admitted.
   * This start may then be its repeat.
   */
  readonly until: number | null;
};

/** What an execution stores of its subject: the key. */
export type SubjectRef = { readonly key: string };
