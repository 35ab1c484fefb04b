// Runs every kernel test in workerd. An environment variable in the command itself would not work in every shell.
import { spawnSync } from "node:child_process";

const { status } = spawnSync("vitest", ["run", "--project", "kernel-workers"], {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, WHOLE_KERNEL: "true" },
});
process.exit(status ?? 1);
