// All flows have one outside: what an earlier test has left under way still calls it, a retry say, or an alert. It is no
// call of the test that is running: whose an execution is, its object knows.
import { env } from "cloudflare:workers";
import { expect, onTestFinished } from "vitest";
import type { Env } from "#env";
import type { Cell } from "#schema/engine/cell.ts";
import type { Engine } from "../engine.ts";
import { cellName } from "#services/cells/ids-and-cells.ts";

const { EXECUTIONS } = env as unknown as Env; // bound in wrangler.toml

/** By the test that made them, or the file, where they were made before its tests. */
const tenants = new Map<string, string[]>();
const known = new Map<string, boolean>();

const file = (): string => expect.getState().testPath ?? "";
const test = (): string => `${file()} ${expect.getState().currentTestName ?? ""}`;

export function noteTenant(tenant: string): void {
  tenants.set(test(), [...(tenants.get(test()) ?? []), tenant]);
}

/** Files beside the flows have the outside to themselves, and some of them count what objects are asked. An idempotency key begins with its execution; a call without one is nobody's in particular. */
export async function isStranger(key: string): Promise<boolean> {
  const [execution = ""] = key.split("/");
  const mine = [...(tenants.get(`${file()} `) ?? []), ...(tenants.get(test()) ?? [])];
  if (mine.length === 0 || !execution.startsWith("exe_") || !file().includes("/flows/")) return false;
  const name = `${test()} ${execution}`;
  const isStrange = known.get(name) ?? !(await isAmong(mine, execution));
  known.set(name, isStrange);
  return isStrange;
}

/** An object that is away says nothing against its being here. */
async function isAmong(mine: readonly string[], execution: string): Promise<boolean> {
  const lives = mine.map(async (tenant) => {
    try {
      const cell = EXECUTIONS.getByName(cellName(tenant, execution)) as unknown as Cell; // as its class declares
      return (await cell.read(execution)).ok;
    } catch {
      return true;
    }
  });
  return (await Promise.all(lives)).includes(true);
}

type Ask = Engine["ask"];

/** Pollers and connections ask the world by themselves: those that a test makes go when it is over. */
export function ceasing(ask: Ask): Ask {
  const made: string[] = [];
  const cease = async (): Promise<void> => {
    for (const path of made) await ask("DELETE", path);
  };
  if (expect.getState().currentTestName !== undefined) onTestFinished(cease);
  return async (method, path, more) => {
    const answer = await ask(method, path, more);
    const isMade = method === "POST" && answer.status === 201 && /^\/v1\/(connections|triggers)$/.test(path);
    if (isMade) made.push(`${path}/${answer.body.id}`);
    return answer;
  };
}
