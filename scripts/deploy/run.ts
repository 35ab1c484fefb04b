// Deploy run: checks whether the database exists, prints the plan, and runs its steps through wrangler.
import { planDeploy } from "./plan.ts";

export type DeployPorts = {
  /** Runs wrangler with its output on the terminal. Returns whether it succeeded. */
  readonly run: (args: readonly string[]) => boolean;
  /** Runs wrangler and returns its output. Null if it failed. */
  readonly read: (args: readonly string[]) => string | null;
  readonly print: (line: string) => void;
};

/** The database's name and id in wrangler.toml. The id is null if the file has none. */
export type Database = { readonly name: string; readonly id: string | null };

const DRY_RUN = "--dry-run";

export function runDeploy({ run, read, print }: DeployPorts, database: Database, args: readonly string[]): boolean {
  const wranglerOptions = args.filter((arg) => arg !== DRY_RUN);
  const hasDatabase = database.id !== null || databaseExists(read, database.name);
  if (hasDatabase === null) {
    print("The databases could not be listed, so nothing was done. Check that you are logged in: npx wrangler login");
    return false;
  }
  print(
    hasDatabase
      ? `The database ${database.name} exists: migrations run first, then the deploy.`
      : `The database ${database.name} does not exist: the deploy creates it, then migrations run.`,
  );
  for (const step of planDeploy(hasDatabase, wranglerOptions)) {
    print(`wrangler ${step.args.join(" ")}`);
    if (args.includes(DRY_RUN) || run(step.args)) continue;
    print(step.failureMessage);
    return false;
  }
  return true;
}

function databaseExists(read: DeployPorts["read"], name: string): boolean | null {
  const listed = read(["d1", "list", "--json"]);
  if (listed === null) return null;
  try {
    const all = JSON.parse(listed.slice(listed.indexOf("["))) as readonly { readonly name?: string }[]; // wrangler prints a list of this shape
    return all.some((each) => each.name === name);
  } catch {
    return null;
  }
}
