// Runs a command with an environment variable: `with.ts NAME=value command …`. In the command itself it would not work in every shell.
import { spawnSync } from "node:child_process";

const [assignment = "", command = "", ...words] = process.argv.slice(2);
const [name = "", value = ""] = assignment.split("=");
const { status } = spawnSync(command, words, {
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, [name]: value },
});
process.exit(status ?? 1);
