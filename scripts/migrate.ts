// Local migrations: applies migrations/*.sql to the local D1 and records them in wrangler's own table. `wrangler d1
// migrations apply escapement --local --persist-to .state` then finds nothing to apply.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_splitSqlQuery } from "wrangler";
import { readConfig } from "./config.ts";
import { explainStartError } from "./local/explain.ts";
import { lockFolder } from "./local/folder-lock.ts";
import { stateDirOf } from "./local/settings.ts";
import { persistPath } from "./local/state-folder.ts";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** The statement that wrangler itself uses. */
const TABLE = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/**
 * Migrates a state folder before an engine opens it, because overdue alarms and queued messages need the new tables at
 * once.
 */
export async function migrateState({ root, stateDir }: { root: string; stateDir: string }): Promise<string[]> {
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      resourcePersistencePath: persistPath(stateDir),
      name: "migrate",
      modules: true,
      script: "export default {}",
      d1Databases: readConfig(join(root, "wrangler.toml")).databases,
    }),
  );
  try {
    return await migrateDatabase(root, await mf.getD1Database("DB"));
  } finally {
    await mf.dispose();
  }
}

export async function migrateDatabase(root: string, db: Database): Promise<string[]> {
  await db.prepare(TABLE).run();
  const { results } = await db.prepare('SELECT name FROM "d1_migrations"').all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  const pending = migrationFiles(root).filter((name) => !applied.has(name));
  for (const name of pending) await applyOne(root, name, db);
  return pending;
}

/** Applies one migration and records it in the same batch, which D1 runs as a transaction. */
async function applyOne(root: string, name: string, db: Database): Promise<void> {
  const statements = unstable_splitSqlQuery(readFileSync(join(root, "migrations", name), "utf8"));
  try {
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare('INSERT INTO "d1_migrations" (name) VALUES (?)').bind(name),
    ]);
  } catch (cause) {
    throw new Error(`migrations/${name} failed and was rolled back: ${String(cause)}`, { cause });
  }
}

function migrationFiles(root: string): string[] {
  return readdirSync(join(root, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "..");
  try {
    const stateDir = stateDirOf(process.env, root);
    const lock = await lockFolder(stateDir);
    const applied = await migrateState({ root, stateDir }).finally(lock.release);
    console.log(applied.length === 0 ? "D1 is up to date" : `applied ${applied.join(", ")}`);
  } catch (error) {
    // The error is usually a locked folder: a running engine has migrated it at its start.
    console.error(explainStartError(error));
    process.exitCode = 1;
  }
}
