// What is said of the versions that live executions run.

/** `isWhole`: false where there are so many live executions that the older ones were not looked at. */
export type LiveVersions = {
  readonly versions: readonly { readonly version: number; readonly executions: number }[];
  readonly isWhole: boolean;
};
