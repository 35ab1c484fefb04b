// Whom an execution is about: its subject, whose object admits it and hears of its end.

/** What a start brings of it. */
export type Admission = {
  /** The subject's key. */
  readonly key: string;
  /** It may begin until then; null: it has been in it before, and there is a first answer or nothing. */
  readonly until: number | null;
};

/** What an execution keeps of it. */
export type About = { readonly key: string };
