// Resident-list rows: ids of a large cell's executions, many in each row, so that one write covers many.
import { RESIDENT_ROW_EXECUTIONS } from "#schema/limits/large-cells.ts";
import type { Writing } from "../stored/writing.ts";

/** Executions that are loaded together, some time before that instant. The last digit encodes the slot's length. */
export type PagedOutRow = { readonly slot: number; readonly id: number; readonly executions: readonly string[] };

export type ResidentRows = {
  /** True only in a large cell. */
  readonly exist: () => boolean;
  readonly near: () => readonly string[];
  readonly addNear: (executions: readonly string[]) => void;
  /** Replaces all resident rows. */
  readonly replaceNear: (executions: readonly string[]) => void;
  readonly addFar: (slot: number, executions: readonly string[]) => void;
  readonly firstFar: () => PagedOutRow | null;
  /** The first `rowsMax` rows of a slot. */
  readonly farOf: (slot: number, rowsMax: number) => readonly PagedOutRow[];
  readonly removeFar: (row: PagedOutRow) => void;
};

/** No instant: resident at any time. */
const NEAR = 0;

const SCHEMA = `CREATE TABLE IF NOT EXISTS roll (
  slot INTEGER NOT NULL,
  id INTEGER NOT NULL,
  executions TEXT NOT NULL,
  PRIMARY KEY (slot, id)
) WITHOUT ROWID`;

type Written = { readonly slot: number; readonly id: number; readonly executions: string };

type Recalled = { readonly recall: (exists: boolean) => void };

export function residentRows(
  sql: SqlStorage,
  { write }: Pick<Writing, "write">,
  isThere: boolean,
): ResidentRows & Recalled {
  let exists = isThere;
  const add = (slot: number, executions: readonly string[]): void => {
    if (!exists) write(SCHEMA);
    exists = true;
    const query = `INSERT INTO roll (slot, id, executions)
      SELECT ?1, (SELECT COALESCE(MAX(id), 0) + 1 FROM roll WHERE slot = ?1), ?2`;
    for (const part of parts(executions)) write(query, slot, JSON.stringify(part));
  };
  const rows = (where: string, ...given: readonly number[]): readonly PagedOutRow[] =>
    exists
      ? sql
          .exec<Written>(`SELECT slot, id, executions FROM roll WHERE ${where}`, ...given)
          .toArray()
          .map(read)
      : [];
  return {
    exist: () => exists,
    near: () => rows(`slot = ${NEAR}`).flatMap(({ executions }) => executions),
    addNear: (executions) => add(NEAR, executions),
    replaceNear: (executions) => {
      if (exists) write("DELETE FROM roll WHERE slot = ?", NEAR);
      // Written even if empty: a resident list means that not all heads are to be read.
      add(NEAR, executions);
    },
    addFar: add,
    firstFar: () => rows(`slot > ${NEAR} ORDER BY slot, id LIMIT 1`)[0] ?? null,
    farOf: (slot, rowsMax) => rows("slot = ? ORDER BY id LIMIT ?", slot, rowsMax),
    removeFar: ({ slot, id }) => write("DELETE FROM roll WHERE slot = ? AND id = ?", slot, id),
    recall: (isThereStill) => void (exists = isThereStill),
  };
}

function read({ slot, id, executions }: Written): PagedOutRow {
  return { slot, id, executions: JSON.parse(executions) as string[] }; // written above
}

export function parts(executions: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(executions.length / RESIDENT_ROW_EXECUTIONS);
  return Array.from({ length: count }, (_, n) =>
    executions.slice(n * RESIDENT_ROW_EXECUTIONS, (n + 1) * RESIDENT_ROW_EXECUTIONS),
  );
}
