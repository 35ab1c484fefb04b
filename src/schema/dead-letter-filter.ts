// Dead-letter selection: the name of one dead letter, and the filter that selects many.

export type DeadLetterName = { readonly execution: string; readonly run: string };

/** A filter of dead letters. An absent field does not restrict the result. Instants are epoch milliseconds. */
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
   * asked: dead letters of actions that request automatic retry. open: in addition, dead letters of actions that do not
   * set whether they are retried automatically.
   */
  readonly selfHeal?: "asked" | "open" | undefined;
  readonly errorCode?: string | undefined;
  readonly minPriority?: number | undefined;
  /** Matches dead letters of critical actions. */
  readonly critical?: boolean | undefined;
  /** true: dead letters that the definition has handled. false: dead letters that an operator must decide about. */
  readonly handled?: boolean | undefined;
  readonly failedAfter?: number | undefined;
  readonly failedBefore?: number | undefined;
};

/** How many dead letters a filter matches, and how old they are. The preview of an operation shows these figures. */
export type DeadLetterSurvey = {
  readonly matching: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  /** The number of dead letters by error type. */
  readonly byErrorType: { readonly [type: string]: number };
};

/** Dead letters with the same cause, definition and action. `oldest`, `newest`: epoch ms of the failures. */
export type DeadLetterGroup = {
  /** The code of the error, or its type if it has no code. */
  readonly cause: string;
  readonly definition: string;
  readonly action: string;
  readonly type: string;
  readonly count: number;
  readonly oldest: number;
  readonly newest: number;
};
