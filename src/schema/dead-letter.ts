// Which dead letters are meant: one by its run, or all that a filter finds.

export type DeadLetterName = { readonly execution: string; readonly run: string };

/** Which dead letters are meant; an absent field asks for nothing. Instants are epoch milliseconds. */
export type DeadLetterFilters = {
  readonly execution?: string | undefined;
  /** A definition's name. */
  readonly definition?: string | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly action?: string | undefined;
  readonly type?: string | undefined;
  readonly errorType?: string | undefined;
  /** The connection that they failed over, by its id. */
  readonly connection?: string | undefined;
  /** Of any of these. */
  readonly errorTypes?: readonly string[] | undefined;
  /** asked: those that their action lets go out again by themselves. open: those, too, whose action does not say. */
  readonly selfHeal?: "asked" | "open" | undefined;
  readonly errorCode?: string | undefined;
  readonly minPriority?: number | undefined;
  /** Those whose failure raised an alert. */
  readonly critical?: boolean | undefined;
  /** true: those their machine has taken care of; false: those that wait for a person. */
  readonly handled?: boolean | undefined;
  readonly failedAfter?: number | undefined;
  readonly failedBefore?: number | undefined;
};

/** What such a filter means, before anything is done with it. */
export type DeadLetterSurvey = {
  readonly matching: number;
  readonly oldest: number | null;
  readonly newest: number | null;
  /** How many of each error type. */
  readonly byErrorType: { readonly [type: string]: number };
};
