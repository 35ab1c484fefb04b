// Local keys: creates the keys of a local engine once, at random, in .dev.vars. The local host reads this file, and
// wrangler reads the project's.
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseEnv } from "node:util";

/**
 * Returns the variables of the file, and adds the ones that are missing. Existing values stay, because receivers and
 * stored secrets depend on them.
 */
export function readOrCreateVars(path: string): Record<string, string> {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) writeFileSync(path, ABOUT, { mode: 0o600 });
  const existing = parseEnv(readFileSync(path, "utf8"));
  const missing = Object.entries(newKeys()).filter(([name]) => existing[name] === undefined);
  appendFileSync(path, missing.map(([name, value]) => `${name}=${value}\n`).join(""));
  return { ...Object.fromEntries(missing), ...definedOf(existing) };
}

function definedOf(vars: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, value ?? ""]));
}

const ABOUT = "# Keys of the local engine. A new SIGNING_KEY changes every receiver's webhook signing key.\n";

const newKeys = (): Record<string, string> => ({
  ROOT_KEY: `esk_root_${randomBytes(32).toString("base64url")}`,
  SIGNING_KEY: randomBytes(32).toString("base64url"),
  SECRETS_KEYS: `k1:${randomBytes(32).toString("base64url")}`,
  ALLOW_LOOPBACK: "true",
});
