// Correlation keys: the key of an execution under which its tenant's directory finds it.
export type Correlation = {
  /** null: it has none, or has ended. */
  readonly key: string | null;
  /** The step that set the key. */
  readonly since: number;
  /** All keys under which the directory may have registered it. */
  readonly registered: readonly string[];
};
