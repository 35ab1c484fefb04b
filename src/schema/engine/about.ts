// Subjects of executions: the admission of a start by the subject's object, and the subject that an execution stores.

/** The permission to start an execution for a subject. The subject's object gives it. */
export type Admission = {
  /** The subject's key. */
  readonly key: string;
  /**
   * The latest time, in epoch ms, at which the execution may start. null: an earlier request with this id was admitted,
   * so this start may be its repeat.
   */
  readonly until: number | null;
};

/** The subject that an execution stores: its key. */
export type SubjectRef = { readonly key: string };
