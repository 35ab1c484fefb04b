// Live versions: the number of live executions per version of a definition.

/**
 * The versions that live executions use. `isWhole` is false if there were too many live executions to read the older
 * ones.
 */
export type LiveVersions = {
  readonly versions: readonly { readonly version: number; readonly executions: number }[];
  readonly isWhole: boolean;
};
