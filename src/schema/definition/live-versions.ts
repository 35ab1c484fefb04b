// Live versions: the number of live executions per version of a definition.

/**
 * The versions that live executions use. `isWhole` is false if only the newest live executions were read, because there
 * are too many.
 */
export type LiveVersions = {
  readonly versions: readonly { readonly version: number; readonly executions: number }[];
  readonly isWhole: boolean;
};
