// What `npm test` runs: the same command as CI.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const { status, error } = spawnSync("npm", ["run", "check"], {
  cwd: resolve(import.meta.dirname, ".."),
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (error !== undefined) console.error(`npm run check could not start: ${error.message}`);
process.exit(status ?? 1);
