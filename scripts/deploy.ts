// Deploy (`npm run deploy`): migrates the database and deploys the Worker. `-- --dry-run` prints the commands and runs
// none; other options are passed to wrangler.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { readDatabase } from "./config.ts";
import { runDeploy } from "./deploy/run.ts";

const root = resolve(import.meta.dirname, "..");
const args = process.argv.slice(2);
const { values } = parseArgs({ args, options: { env: { type: "string", short: "e" } }, strict: false });
const environment = typeof values.env === "string" ? values.env : undefined;

/**
 * Runs without stdin, so wrangler asks no questions. An operator who declined a migration there would still get the
 * code that needs it.
 */
const wrangler = (words: readonly string[], output: "inherit" | "pipe") =>
  spawnSync("wrangler", words, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", output, "inherit"],
    shell: process.platform === "win32",
  });

const isDeployed = runDeploy(
  {
    run: (words) => wrangler(words, "inherit").status === 0,
    read: (words) => {
      const { status, stdout } = wrangler(words, "pipe");
      return status === 0 ? stdout : null;
    },
    print: (line) => console.log(line),
  },
  readDatabase(join(root, "wrangler.toml"), "DB", environment),
  args,
);
process.exitCode = isDeployed ? 0 : 1;
