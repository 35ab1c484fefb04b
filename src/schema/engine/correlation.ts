// The correlation key of an execution, and the keys that the directory may have for it.
export type Correlation = {
  /** The current key. Null if the execution has none, or has ended. */
  readonly key: string | null;
  /** The `seq` of the step that set the key. */
  readonly since: number;
  /** Every key under which the directory may still have registered the execution. */
  readonly registered: readonly string[];
};
