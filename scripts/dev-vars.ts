// The keys of a local engine: made once, at random, into .dev.vars, where wrangler and the host both look.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** Reads the file, which is written when missing and never changed afterwards: receivers know the secret that comes of it. */
export function devVars(path: string): Record<string, string> {
  if (!existsSync(path)) writeFileSync(path, fresh(), { mode: 0o600 });
  const vars: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, "utf8")))) vars[name] = value ?? "";
  return vars;
}

const fresh = () =>
  [
    "# Keys of the local engine. A new SIGNING_KEY changes every tenant's webhook signing secret.",
    `ROOT_KEY=esk_root_${randomBytes(32).toString("base64url")}`,
    `SIGNING_KEY=${randomBytes(32).toString("base64url")}`,
    `SECRETS_KEYS=k1:${randomBytes(32).toString("base64url")}`,
    "ALLOW_LOOPBACK=true",
    "",
  ].join("\n");
