// Resident rows: the table in which a large cell lists its executions. Resident executions are in memory. Paged-out
// executions are loaded shortly before their wake. Each row has many ids, so that one write covers many executions.
import { RESIDENT_ROW_EXECUTIONS } from "#schema/limits/large-cells.ts";
import type { Writing } from "../stored/writing.ts";

/**
 * Executions that are loaded together, some time before the time `slot`. The last digit of `slot` encodes the slot's
 * length.
 */
export type PagedOutRow = { readonly slot: number; readonly id: number; readonly executions: readonly string[] };

export type ResidentRows = {
  /** True if the table exists. Only a large cell has this table. */
  readonly isLargeCell: () => boolean;
  /** Returns the resident executions. */
  readonly residents: () => readonly string[];
  readonly addResidents: (executions: readonly string[]) => void;
  /** Replaces the whole list of resident executions. */
  readonly replaceResidents: (executions: readonly string[]) => void;
  readonly addPagedOut: (slot: number, executions: readonly string[]) => void;
  /** Returns the first row of the earliest slot; null if no execution is paged out. */
  readonly firstPagedOut: () => PagedOutRow | null;
  /** Returns the first `rowsMax` rows of a slot. */
  readonly pagedOutOf: (slot: number, rowsMax: number) => readonly PagedOutRow[];
  readonly removePagedOut: (row: PagedOutRow) => void;
};

/** The slot of the rows with resident executions. The other rows have the time of their slot instead. */
const RESIDENT = 0;

const SCHEMA = `CREATE TABLE IF NOT EXISTS roll (
  slot INTEGER NOT NULL,
  id INTEGER NOT NULL,
  executions TEXT NOT NULL,
  PRIMARY KEY (slot, id)
) WITHOUT ROWID`;

type StoredRow = { readonly slot: number; readonly id: number; readonly executions: string };

/** Sets whether the table exists, after a rollback or a deletion. */
type Existence = { readonly setExists: (exists: boolean) => void };

export function residentRows(
  sql: SqlStorage,
  { write }: Pick<Writing, "write">,
  existsAtOpening: boolean,
): ResidentRows & Existence {
  let exists = existsAtOpening;
  const add = (slot: number, executions: readonly string[]): void => {
    if (!exists) write(SCHEMA);
    exists = true;
    const query = `INSERT INTO roll (slot, id, executions)
      SELECT ?1, (SELECT COALESCE(MAX(id), 0) + 1 FROM roll WHERE slot = ?1), ?2`;
    for (const chunk of rowChunks(executions)) write(query, slot, JSON.stringify(chunk));
  };
  const rows = (where: string, ...bindings: readonly number[]): readonly PagedOutRow[] =>
    exists
      ? sql
          .exec<StoredRow>(`SELECT slot, id, executions FROM roll WHERE ${where}`, ...bindings)
          .toArray()
          .map(parsedRow)
      : [];
  return {
    isLargeCell: () => exists,
    residents: () => rows(`slot = ${RESIDENT}`).flatMap(({ executions }) => executions),
    addResidents: (executions) => add(RESIDENT, executions),
    replaceResidents: (executions) => {
      if (exists) write("DELETE FROM roll WHERE slot = ?", RESIDENT);
      // Creates the table even for an empty list: its existence means that the object does not load all heads.
      add(RESIDENT, executions);
    },
    addPagedOut: add,
    firstPagedOut: () => rows(`slot > ${RESIDENT} ORDER BY slot, id LIMIT 1`)[0] ?? null,
    pagedOutOf: (slot, rowsMax) => rows("slot = ? ORDER BY id LIMIT ?", slot, rowsMax),
    removePagedOut: ({ slot, id }) => write("DELETE FROM roll WHERE slot = ? AND id = ?", slot, id),
    setExists: (existsNow) => void (exists = existsNow),
  };
}

function parsedRow({ slot, id, executions }: StoredRow): PagedOutRow {
  return { slot, id, executions: JSON.parse(executions) as string[] }; // `add` wrote this JSON
}

/** Splits executions into as many as one row lists. */
export function rowChunks(executions: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(executions.length / RESIDENT_ROW_EXECUTIONS);
  return Array.from({ length: count }, (_, n) =>
    executions.slice(n * RESIDENT_ROW_EXECUTIONS, (n + 1) * RESIDENT_ROW_EXECUTIONS),
  );
}
