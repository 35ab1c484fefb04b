// Load test options: reads the command line. Another host than this machine needs --allow-remote.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { zodFindings } from "#schema/findings.ts";
import { loadPlan, type LoadPlan } from "#schema/load.ts";
import { withSandboxAt } from "./fill.ts";

export type Options = {
  readonly plan: LoadPlan;
  readonly url: string;
  readonly key: string;
  /** The path of the JSON report. Null: no report is written. */
  readonly json: string | null;
};

export class Usage extends Error {}

const USAGE = "npm run load -- plan.json [--url …] [--key …] [--sandbox …] [--json report.json] [--allow-remote]";

export function optionsOf(args: readonly string[], env: NodeJS.ProcessEnv, root: string): Options {
  const { values, positionals } = parsed(args);
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Usage(USAGE);
  const url = originOf(values.url ?? `http://127.0.0.1:${env.PORT ?? 8787}`, "--url");
  const read = planIn(resolve(file));
  const plan = values.sandbox === undefined ? read : withSandboxAt(read, originOf(values.sandbox, "--sandbox"));
  const called = [url, ...plan.scenarios.flatMap(({ sandbox }) => (sandbox === null ? [] : [sandbox.origin]))];
  const remote = called.find((each) => !isLoopback(each));
  if (remote !== undefined && !values["allow-remote"]) {
    throw new Usage(`${remote} is not this machine. Add --allow-remote if you may load it.`);
  }
  const key = values.key ?? demoKey(resolve(env.STATE_DIR ?? join(root, ".state")));
  return { plan, url, key, json: values.json ?? null };
}

function parsed(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = { url: text, key: text, sandbox: text, json: text, "allow-remote": { type: "boolean" } } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new Usage(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

export function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}

function originOf(text: string, option: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Usage(`${option} must be an http or https URL: ${text}`);
  return new URL(text).origin;
}

function planIn(file: string): LoadPlan {
  if (!existsSync(file)) throw new Usage(`There is no ${file}.`);
  const plan = loadPlan.safeParse(jsonIn(file));
  if (plan.success) return plan.data;
  const said = zodFindings(plan.error, loadPlan).map(({ pointer, message, hint }) =>
    [`  ${pointer === "" ? "/" : pointer}: ${message}`, hint].filter(Boolean).join("; "),
  );
  throw new Usage([`${file} is not a load plan:`, ...said].join("\n"));
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Usage(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the demo tenant's key, which `npm start` stores. */
function demoKey(stateDir: string): string {
  const file = join(stateDir, "demo-key");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  throw new Usage(`There is no key in ${file}: run npm start first, or use --key.`);
}
