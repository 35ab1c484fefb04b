// All files of flows have one outside: what an earlier one has left under way still calls it, a retry say. It is no call of
// the test that is running: whose an execution is, its object knows.
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Env } from "#env";
import type { Cell } from "#schema/engine/cell.ts";
import { cellName } from "#services/cells/placement.ts";

const { EXECUTIONS } = env as unknown as Env; // bound in wrangler.toml

/** By the file that made them. */
const tenants = new Map<string, string[]>();
const known = new Map<string, boolean>();

const file = (): string => expect.getState().testPath ?? "";

export function noteTenant(tenant: string): void {
  tenants.set(file(), [...(tenants.get(file()) ?? []), tenant]);
}

/** An idempotency key begins with its execution; a call without one is nobody's in particular. */
export async function isStranger(key: string): Promise<boolean> {
  const [execution = ""] = key.split("/");
  const mine = tenants.get(file());
  if (mine === undefined || !execution.startsWith("exe_")) return false;
  const name = `${file()} ${execution}`;
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
