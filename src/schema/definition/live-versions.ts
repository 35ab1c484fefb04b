// Live versions: which versions live executions run.

/** `isWhole`: false if there are so many live executions that the older ones were not read. */
export type LiveVersions = {
  readonly versions: readonly { readonly version: number; readonly executions: number }[];
  readonly isWhole: boolean;
};
