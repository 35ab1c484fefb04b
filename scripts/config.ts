// Wrangler configuration: reads the parts of a wrangler.toml that the local host needs. Wrangler's own parser returns
// `any`, so a schema checks them here.
import { resolve } from "node:path";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";

const shape = z.object({
  name: z.string({ error: "wrangler.toml must name its Worker" }),
  /** Wrangler's default. */
  keep_names: z.boolean().default(true),
  triggers: z.object({ crons: z.array(z.string()).default([]) }),
  d1_databases: z.array(
    z.object({ binding: z.string(), database_name: z.string().optional(), database_id: z.string().optional() }),
  ),
});

export interface WorkerConfig {
  path: string;
  name: string;
  crons: string[];
  keepNames: boolean;
  /** Database ids by binding. The id names the local database file. Without an id wrangler uses the binding's name. */
  databases: Record<string, string>;
}

export function readConfig(path: string): WorkerConfig {
  const absolute = resolve(path);
  const raw = shape.parse(unstable_readConfig({ config: absolute }, { hideWarnings: true }));
  const databases = Object.fromEntries(raw.d1_databases.map((db) => [db.binding, db.database_id ?? db.binding]));
  return { path: absolute, name: raw.name, crons: raw.triggers.crons, keepNames: raw.keep_names, databases };
}

/** Returns the name of a binding's database in the account, and its id if wrangler.toml has one. */
export function readDatabase(path: string, binding: string, env?: string): { name: string; id: string | null } {
  const raw = shape.parse(unstable_readConfig({ config: resolve(path), env }, { hideWarnings: true }));
  const found = raw.d1_databases.find((each) => each.binding === binding);
  if (found === undefined) throw new Error(`${path} binds no database as ${binding}`);
  return { name: found.database_name ?? `${raw.name}-${binding.toLowerCase()}`, id: found.database_id ?? null };
}
