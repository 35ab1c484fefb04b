// Deploy order: migrations first, then the code. Migrations only add, so running code works with newer tables, but new
// code would fail on older tables. Without a database the code comes first, because wrangler creates the database when
// it deploys.
export type DeployStep = {
  readonly name: "migrate" | "deploy";
  readonly args: readonly string[];
  readonly failureMessage: string;
};

/** `passed`: the operator's options for wrangler, such as --env. */
export function planDeploy(hasDatabase: boolean, passed: readonly string[]): readonly DeployStep[] {
  const migrate: DeployStep = {
    name: "migrate",
    args: ["d1", "migrations", "apply", "DB", "--remote", ...passed],
    failureMessage: hasDatabase
      ? "The migration failed and was rolled back. Nothing was deployed: what ran goes on. Mend it and deploy again."
      : "The Worker is there and its tables are not: it answers 503 until they are. Deploy again: that begins with them.",
  };
  const deploy: DeployStep = {
    name: "deploy",
    args: ["deploy", "--minify", ...passed],
    failureMessage: hasDatabase
      ? "The tables are the new ones and the code is the old one, which goes on with them. Mend it and deploy again."
      : "Nothing was deployed. Mend it and deploy again.",
  };
  return hasDatabase ? [migrate, deploy] : [deploy, migrate];
}
