// Sleeper copies: copies stored sleepers under new ids, in the files of the cell and of the catalog, while the engine
// is stopped. Starting a million sleepers through the API would take most of an hour.
import { randomBytes } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { residentRows } from "#objects/execution/heads/resident-rows.ts";
import { packBody, unpackBody } from "#objects/execution/stored/packing.ts";
import { keyedId, poolCell, pooledId } from "#schema/ids.ts";
import { REST_SLOT_MS } from "#schema/limits/large-cells.ts";
import { openCatalog, openCell } from "./stored.ts";

/** The number of stored sleepers that are copied in turn. Their wake times and variables differ. */
const MODELS = 500;
/** The number of copies written in one transaction. All copies together would need too much memory. */
const COPIES_PER_COMMIT = 50_000;

type Row = { readonly [column: string]: SQLInputValue };
type Model = {
  readonly id: string;
  readonly wakeAt: number;
  readonly head: Row;
  readonly text: string;
  readonly listed: Row;
};

/** `asleepUntil`: executions with a wake time after this instant count as sleepers. */
export function copySleepers(stateDir: string, count: number, asleepUntil: number): void {
  const cell = openCell(stateDir);
  const catalog = openCatalog(stateDir);
  const found = modelsIn(cell, catalog, asleepUntil);
  const models = found.slice(0, MODELS);
  if (models.length < MODELS) throw new Error(`only ${models.length} sleep in ${stateDir}: too few to copy`);
  for (let left = count - found.length; left > 0; left -= COPIES_PER_COMMIT) {
    const copies = createCopies(models, Math.min(left, COPIES_PER_COMMIT));
    inTransaction(cell, () => insertRows(cell, copies));
    inTransaction(catalog, () => insertListed(catalog, copies));
  }
  for (const database of [cell, catalog]) database.close();
}

function insertRows(cell: DatabaseSync, copies: readonly Copy[]): void {
  const put = insertInto(cell, "rows", copies[0]?.model.head ?? {});
  for (const { id, model } of copies) {
    const body = new Uint8Array(packBody(model.text.replaceAll(model.id, id)));
    put({ ...model.head, execution: id, body });
  }
  addToIndex(cell, copies);
}

function insertListed(catalog: DatabaseSync, copies: readonly Copy[]): void {
  const put = insertInto(catalog, "executions", copies[0]?.model.listed ?? {});
  for (const { id, model } of copies) put({ ...model.listed, id });
}

type Copy = { readonly id: string; readonly model: Model };

/** Creates ids as idempotency keys would create them. They are sorted, because inserts in key order are faster. */
function createCopies(models: readonly Model[], count: number): readonly Copy[] {
  return Array.from({ length: count }, (_, n) => {
    const model = models[n % models.length] as Model; // n % models.length is a valid index, because models is not empty
    return { id: pooledId(keyedId("exe", randomBytes(16)), Number(poolCell(model.id))), model };
  }).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Adds the copies to the cell's index of paged-out executions, as the cell does when it pages an execution out. */
function addToIndex(cell: DatabaseSync, copies: readonly Copy[]): void {
  const exec = (query: string, ...given: readonly SQLInputValue[]) => {
    const rows = cell.prepare(query).all(...given);
    return { toArray: () => rows };
  };
  const isCrowded = cell.prepare("SELECT 1 FROM sqlite_master WHERE name = 'roll'").get() !== undefined;
  if (!isCrowded) throw new Error("the cell is not crowded: what is written beside it would be found by nobody");
  const sql = { exec } as unknown as SqlStorage; // the resident index uses only `exec`
  const write: Parameters<typeof residentRows>[1]["write"] = (query, ...given) =>
    void exec(query, ...(given as readonly SQLInputValue[])); // the resident index passes texts and numbers only
  const roll = residentRows(sql, { write }, isCrowded);
  for (const [slot, of] of Map.groupBy(copies, ({ model }) => Math.floor(model.wakeAt / REST_SLOT_MS) * REST_SLOT_MS))
    roll.addPagedOut(
      slot,
      of.map(({ id }) => id),
    );
}

function modelsIn(cell: DatabaseSync, catalog: DatabaseSync, asleepUntil: number): readonly Model[] {
  const listedAs = catalog.prepare("SELECT * FROM executions WHERE id = ? AND finished_at IS NULL");
  const heads = cell.prepare("SELECT * FROM rows WHERE page = 0 AND turn > 0 AND wake_at > ?").all(asleepUntil);
  return heads.flatMap((head) => {
    const listed = listedAs.get(head.execution ?? "") as Row | undefined; // SQLite returns only these types
    const body = head.body instanceof Uint8Array ? new Uint8Array(head.body).buffer : String(head.body);
    const named = { id: String(head.execution), wakeAt: Number(head.wake_at) };
    return listed === undefined ? [] : [{ ...named, head, listed, text: unpackBody(body) }];
  });
}

function insertInto(database: DatabaseSync, table: string, like: Row): (row: Row) => void {
  const columns = Object.keys(like);
  const insert = database.prepare(
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  return (row) => void insert.run(...columns.map((column) => row[column] ?? null));
}

/** Runs `work` in one transaction without waiting for the disk. A bench's folder need not survive a power cut. */
function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN");
  work();
  database.exec("COMMIT");
}
