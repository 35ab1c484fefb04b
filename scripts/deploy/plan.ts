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
      ? "The migration failed and was rolled back. Nothing was deployed, and the running Worker is unchanged. Fix the migration and deploy again."
      : "The Worker is deployed without its tables and answers 503. Deploy again: the next deploy starts with the migrations.",
  };
  const deploy: DeployStep = {
    name: "deploy",
    args: ["deploy", "--minify", ...passed],
    failureMessage: hasDatabase
      ? "The deploy failed after the migrations. The older code runs on the newer tables. Fix the error and deploy again."
      : "Nothing was deployed. Fix the error and deploy again.",
  };
  return hasDatabase ? [migrate, deploy] : [deploy, migrate];
}
