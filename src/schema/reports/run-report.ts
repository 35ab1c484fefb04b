// Reports about the message of a run, as the rules of reconcilers read them.

/** What a provider has reported about a message: the event's type, and fields of its payload. */
export type RunReport = {
  readonly event: string;
  readonly type: string | null;
  readonly at: string | null;
  readonly code: string | null;
  readonly reason: string | null;
};
