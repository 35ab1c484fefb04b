// What an execution keeps of its correlation key, under which its tenant's directory finds it: which one it has now, and
// which the directory may still have. Owed until the directory confirms it.
export type Enlisting = {
  /** null: it has none, or has ended. */
  readonly key: string | null;
  /** The step in which that became so: what is told late of an earlier one counts for nothing. */
  readonly since: number;
  /** All that the directory may have it under. */
  readonly listed: readonly string[];
  /** When the directory was last told; null: it has confirmed. */
  readonly sentAt: number | null;
  readonly resends: number;
};

/** What the directory is told of an execution, and confirms. */
export type Enlisted = {
  readonly key: string | null;
  readonly since: number;
  /** Which life of its id that was. */
  readonly incarnation: number;
};
