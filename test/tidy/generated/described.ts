// The API's description as the Worker serves it. A process of its own makes it: the Worker's types are not those of
// scripts, and `process.execPath` is the project's Node in both tests and scripts.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const SCRIPT = "scripts/openapi/described.ts";
const root = join(import.meta.dirname, "../../..");

export function described(): string {
  return execFileSync(process.execPath, [SCRIPT], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
}
