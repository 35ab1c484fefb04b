// Settings of `npm start`: reads ports and the state folder from the environment, and reports all mistakes at once.
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { persistPath } from "./state-folder.ts";

export type Settings = { readonly stateDir: string; readonly port: number; readonly sandboxPort: number };

export class InvalidSettings extends Error {}

type Env = { readonly [name: string]: string | undefined };

const PORT_MAX = 65_535;

export function readSettings(env: Env, root: string): Settings {
  const problems: string[] = [];
  const port = portOf(env, "PORT", 8787, problems);
  const sandboxPort = portOf(env, "SANDBOX_PORT", 8788, problems);
  if (port !== 0 && port === sandboxPort) {
    problems.push(`PORT and SANDBOX_PORT are both ${port}: the engine and its sandbox need different ports.`);
  }
  const stateDir = folderOf(env, root, problems);
  if (problems.length > 0) throw new InvalidSettings(problems.join("\n"));
  return { stateDir, port, sandboxPort };
}

/** Returns the folder of objects and D1. Every script that opens the folder uses this. */
export function stateDirOf(env: Env, root: string): string {
  const problems: string[] = [];
  const stateDir = folderOf(env, root, problems);
  if (problems.length > 0) throw new InvalidSettings(problems.join("\n"));
  return stateDir;
}

/**
 * Returns the file of the local engine's keys. It is in the project, where wrangler reads it, or in a state folder
 * outside the project. A state folder from before this rule keeps the project's keys, which encrypted its secrets.
 */
export function varsFileOf(stateDir: string, root: string): string {
  const own = join(stateDir, ".dev.vars");
  const isOutside = relative(root, stateDir).startsWith("..");
  const isEarlier = !existsSync(own) && existsSync(persistPath(stateDir));
  return isOutside && !isEarlier ? own : join(root, ".dev.vars");
}

function folderOf(env: Env, root: string, problems: string[]): string {
  const value = env.STATE_DIR;
  if (value?.trim() === "") {
    problems.push("STATE_DIR is empty. Leave it out for .state in the project's folder, or name a folder.");
  }
  return resolve(value ?? join(root, ".state"));
}

function portOf(env: Env, name: string, otherwise: number, problems: string[]): number {
  const value = env[name];
  if (value === undefined) return otherwise;
  const range = `a whole number from 1 to ${PORT_MAX}, or 0 for any free port`;
  if (value.trim() === "") problems.push(`${name} is empty. Leave it out for ${otherwise}, or use ${range}.`);
  else if (!/^\d{1,5}$/.test(value.trim()) || Number(value) > PORT_MAX) {
    problems.push(`${name}=${value} is not a port. Use ${range}, or leave it out for ${otherwise}.`);
  }
  return Number(value);
}
