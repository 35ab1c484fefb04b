// State folder files: opens the largest cell and the catalog of a stopped engine.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { persistPath } from "../../scripts/local/state-folder.ts";

export function openCell(stateDir: string): DatabaseSync {
  const folder = join(persistPath(stateDir), "do", "escapement-ExecutionObject");
  return openLargest(folder, "SELECT COUNT(*) AS n FROM rows WHERE page = 0");
}

export function openCatalog(stateDir: string): DatabaseSync {
  const folder = join(persistPath(stateDir), "d1", "miniflare-D1DatabaseObject");
  return openLargest(folder, "SELECT COUNT(*) AS n FROM tenants");
}

/** Returns the number of cells in the largest pool. */
export function largestPoolSize(stateDir: string): number {
  const catalog = openCatalog(stateDir);
  const row = catalog.prepare("SELECT MAX(pool_size) AS size FROM tenants").get();
  catalog.close();
  return Number(row?.["size"]);
}

/** Opens the database file for which the counting query returns the highest number. */
function openLargest(folder: string, counting: string): DatabaseSync {
  const counted = readdirSync(folder)
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
    .map((name) => ({ name, count: countIn(join(folder, name), counting) }));
  const [fullest] = counted.toSorted((a, b) => b.count - a.count);
  if (fullest === undefined) throw new Error(`nothing is stored in ${folder}`);
  return new DatabaseSync(join(folder, fullest.name));
}

function countIn(file: string, counting: string): number {
  const database = new DatabaseSync(file);
  try {
    return Number(database.prepare(counting).get()?.["n"] ?? 0);
  } catch {
    // A database without the table counts as empty.
    return 0;
  } finally {
    database.close();
  }
}
