// Dead-letter selection: the name of one dead letter, and filters of many.

export type DeadLetterName = { readonly execution: string; readonly run: string };

/** A filter of dead letters; an absent field matches everything. Instants are epoch milliseconds. */
export type DeadLetterFilters = {
  readonly execution?: string | undefined;
  /** The definition's name. */
  readonly definition?: string | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly action?: string | undefined;
  readonly type?: string | undefined;
  readonly errorType?: string | undefined;
  /** The id of the connection that the failed attempt used. */
  readonly connection?: string | undefined;
  /** Matches dead letters with one of these error types. */
  readonly errorTypes?: readonly string[] | undefined;
  /**
   * asked: dead letters of actions that request automatic retry. open: also dead letters of actions that have no
   * setting for it.
   */
  readonly selfHeal?: "asked" | "open" | undefined;
  readonly errorCode?: string | undefined;
  readonly minPriority?: number | undefined;
  /** Matches dead letters of critical actions. */
  readonly critical?: boolean | undefined;
  /** true: dead letters that the definition has handled. false: dead letters that wait for an operator. */
  readonly handled?: boolean | undefined;
  readonly failedAfter?: number | undefined;
  readonly failedBefore?: number | undefined;
};

/** How many dead letters a filter matches, and how old they are. An operation shows these figures before it starts. */
export type DeadLetterSurvey = {
  readonly matching: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  /** The number of dead letters by error type. */
  readonly byErrorType: { readonly [type: string]: number };
};
