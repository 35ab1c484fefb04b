// A dead letter's id on the wire: it names the run and the execution it belongs to, so nobody has to look it up.

export type DeadLetterName = { readonly execution: string; readonly run: string };

export function deadLetterId(execution: string, run: string): string {
  return `dl_${execution.replace(/^exe_/, "")}.${run}`;
}

/** Null for a text that cannot be one. */
export function parseDeadLetterId(id: string): DeadLetterName | null {
  const [, execution, run] = /^dl_(.+)\.(\d+\.\d+)$/.exec(id) ?? [];
  return execution === undefined || run === undefined ? null : { execution: `exe_${execution}`, run };
}

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
  readonly errorCode?: string | undefined;
  readonly minPriority?: number | undefined;
  /** Those whose failure raised an alert. */
  readonly critical?: boolean | undefined;
  readonly failedAfter?: number | undefined;
  readonly failedBefore?: number | undefined;
};
