// Live versions: the number of live executions per version of a definition.

/** The versions in use. `isWhole` is false if the older of very many live executions were not read. */
export type LiveVersions = {
  readonly versions: readonly { readonly version: number; readonly executions: number }[];
  readonly isWhole: boolean;
};
