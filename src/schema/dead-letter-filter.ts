// Dead-letter selection: one by its run, or all that match a filter.

export type DeadLetterName = { readonly execution: string; readonly run: string };

/** A filter of dead letters; an absent field matches everything. Instants are epoch milliseconds. */
export type DeadLetterFilters = {
  readonly execution?: string | undefined;
  /** A definition's name. */
  readonly definition?: string | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly action?: string | undefined;
  readonly type?: string | undefined;
  readonly errorType?: string | undefined;
  /** The connection with which they failed, by its id. */
  readonly connection?: string | undefined;
  /** Any of these. */
  readonly errorTypes?: readonly string[] | undefined;
  /** asked: those whose action requests automatic retry. open: also those whose action has no setting. */
  readonly selfHeal?: "asked" | "open" | undefined;
  readonly errorCode?: string | undefined;
  readonly minPriority?: number | undefined;
  /** Dead letters whose failure raised an alert. */
  readonly critical?: boolean | undefined;
  /** true: those that their machine has handled; false: those that wait for an operator. */
  readonly handled?: boolean | undefined;
  readonly failedAfter?: number | undefined;
  readonly failedBefore?: number | undefined;
};

/** What a filter matches, before anything is done with it. */
export type DeadLetterSurvey = {
  readonly matching: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  /** How many of each error type. */
  readonly byErrorType: { readonly [type: string]: number };
};
