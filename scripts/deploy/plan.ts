// In which order a deploy goes. Migrations only ever add, so the code that runs goes on on the newer tables, while new code
// on the old tables would fail from the moment it is live until they are there: first the tables, then the code. Only where
// there is no database yet the code goes first, for wrangler makes the database when it deploys.
export type DeployStep = {
  readonly name: "migrate" | "deploy";
  readonly args: readonly string[];
  readonly ifItFails: string;
};

/** `passed`: options for wrangler that whoever deploys has given, such as --env. */
export function planDeploy(hasDatabase: boolean, passed: readonly string[]): readonly DeployStep[] {
  const migrate: DeployStep = {
    name: "migrate",
    args: ["d1", "migrations", "apply", "DB", "--remote", ...passed],
    ifItFails: hasDatabase
      ? "The migration failed and was rolled back. Nothing was deployed: what ran goes on. Mend it and deploy again."
      : "The Worker is there and its tables are not: it answers 503 until they are. Deploy again: that begins with them.",
  };
  const deploy: DeployStep = {
    name: "deploy",
    args: ["deploy", "--minify", ...passed],
    ifItFails: hasDatabase
      ? "The tables are the new ones and the code is the old one, which goes on with them. Mend it and deploy again."
      : "Nothing was deployed. Mend it and deploy again.",
  };
  return hasDatabase ? [migrate, deploy] : [deploy, migrate];
}
