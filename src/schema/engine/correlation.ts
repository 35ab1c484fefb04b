// Correlation keys: the key of an execution under which its tenant's directory finds it.
export type Correlation = {
  /** The current key; null if the execution has none, or has ended. */
  readonly key: string | null;
  /** The `seq` of the step that set the key. */
  readonly since: number;
  /** All keys under which the directory may have registered the execution. */
  readonly registered: readonly string[];
};
