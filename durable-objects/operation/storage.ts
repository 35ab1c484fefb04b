// Operation rows: the operation's state. An operation over a list also has a row for each part of the list, and a row
// for each failed line. A part is an upload, or a page of found executions.
import type { OperationState } from "#policy/operations/pace.ts";
import type { Json } from "#schema/json.ts";
import type { LineFailure, NumberedLine, Part, LineFailurePage } from "#schema/subject/enrolling.ts";
import type { HostedStorage } from "#objects/host/host.ts";
import { storedValue, values, type Store, type StoredValue, type TableGroup } from "#objects/host/store.ts";

const STATE = 1;

export type OperationStorage = HostedStorage & StoredValue<OperationState> & { readonly lists: ListStorage };

export type ListStorage = {
  /** Returns the fingerprint of a part; null if the part was not uploaded. */
  readonly part: (part: number) => string | null;
  readonly putPart: (part: Part, body: string) => void;
  /** Returns the ids of the lines after one line, in order. `cursor`: null after the last page. */
  readonly ids: (
    after: string | null,
    limit: number,
  ) => { readonly ids: readonly string[]; readonly cursor: string | null };
  /** Returns as many lines as fit in `bytesMax`, at least one. */
  readonly lines: (ids: readonly string[], bytesMax: number) => readonly NumberedLine[];
  /** Returns `count` lines, spread evenly over all lines. */
  readonly sample: (count: number) => readonly NumberedLine[];
  /** Returns `count` lines, spread evenly over the first `of` lines, without the failed lines. */
  readonly sampleDone: (count: number, of: number) => readonly NumberedLine[];
  readonly putTroubles: (troubles: readonly LineFailure[]) => void;
  readonly troubles: (after: string | null, limit: number) => LineFailurePage;
};

/** A line: the number of its part, and its number in the part. Both count from 1. */
type LineNumber = readonly [part: number, line: number];
/** How many lines a part has. */
type PartSize = { readonly part: number; readonly count: number };

const listTables: TableGroup = {
  first: "parts",
  create: [
    "CREATE TABLE parts (part INTEGER PRIMARY KEY, count INTEGER NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL)",
    `CREATE TABLE troubles (part INTEGER NOT NULL, line INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL,
      PRIMARY KEY (part, line)) WITHOUT ROWID`,
  ],
};

export function operationStorage(store: Store): OperationStorage {
  const { atomically, reset } = store;
  return { atomically, reset, ...storedValue<OperationState>(store.tables(values), STATE), lists: listStorage(store) };
}

export function listStorage(store: Store): ListStorage {
  const { rows, write } = store.tables(listTables);
  const sizes = (fromPart: number): readonly PartSize[] =>
    rows<PartSize>("SELECT part, count FROM parts WHERE part >= ? ORDER BY part", fromPart);
  const linesOf = (part: number): readonly Json[] =>
    JSON.parse(rows<{ body: string }>("SELECT body FROM parts WHERE part = ?", part)[0]?.body ?? "[]") as Json[]; // `putPart` wrote this JSON
  const spreadEvenly = (count: number, linesMax: number): readonly LineNumber[] => {
    const parts = sizes(0);
    const total = Math.min(linesMax, lineCount(parts));
    const wanted = Math.min(count, total);
    return Array.from({ length: wanted }, (_, n) => lineAt(parts, Math.floor((n * total) / wanted)));
  };
  const hasFailed = ([part, line]: LineNumber): boolean =>
    rows("SELECT 1 FROM troubles WHERE part = ? AND line = ?", part, line).length > 0;
  const read = (numbers: readonly LineNumber[], bytesMax: number): readonly NumberedLine[] => {
    const linesByPart = new Map<number, readonly Json[]>();
    const result: NumberedLine[] = [];
    let bytes = 0;
    for (const [part, number] of numbers) {
      const lines = linesByPart.get(part) ?? linesOf(part);
      linesByPart.set(part, lines);
      const line = lines[number - 1] ?? null;
      bytes += new TextEncoder().encode(JSON.stringify(line)).byteLength;
      if (result.length > 0 && bytes > bytesMax) break;
      result.push({ id: idOf([part, number]), line });
    }
    return result;
  };
  return {
    part: (part) => rows<{ digest: string }>("SELECT digest FROM parts WHERE part = ?", part)[0]?.digest ?? null,
    putPart: ({ part, lines, fingerprint }, body) => {
      write("INSERT INTO parts VALUES (?, ?, ?, ?)", part, lines.length, fingerprint, body);
    },
    ids: (after, limit) => {
      const [part, line] = numberOf(after);
      const following = linesAfter(sizes(part), [part, line], limit + 1);
      const ids = following.slice(0, limit).map(idOf);
      return { ids, cursor: following.length > limit ? (ids.at(-1) ?? null) : null };
    },
    lines: (ids, bytesMax) => read(ids.map(numberOf), bytesMax),
    sample: (count) => read(spreadEvenly(count, Infinity), Infinity),
    sampleDone: (count, of) =>
      read(
        spreadEvenly(count, of).filter((line) => !hasFailed(line)),
        Infinity,
      ),
    putTroubles: (troubles) => {
      for (const { part, line, code, message } of troubles)
        write("INSERT OR REPLACE INTO troubles VALUES (?, ?, ?, ?)", part, line, code, message);
    },
    troubles: (after, limit) => {
      const query =
        "SELECT part, line, code, message FROM troubles WHERE (part, line) > (?, ?) ORDER BY part, line LIMIT ?";
      const found = rows<LineFailure>(query, ...numberOf(after), limit + 1);
      const data = found.slice(0, limit);
      const last = data.at(-1);
      return { data, next: found.length > limit && last !== undefined ? idOf([last.part, last.line]) : null };
    },
  };
}

function lineCount(sizes: readonly PartSize[]): number {
  return sizes.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the part and the line in a line's id. For null, returns the position before the first line. */
function numberOf(id: string | null): LineNumber {
  const [part = 0, line = 0] = (id ?? "0.0").split(".").map(Number);
  return [part, line];
}

function idOf([part, line]: LineNumber): string {
  return `${part}.${line}`;
}

function linesAfter(sizes: readonly PartSize[], [part, line]: LineNumber, limit: number): readonly LineNumber[] {
  const following: LineNumber[] = [];
  for (const { part: each, count } of sizes)
    for (let n = each === part ? line + 1 : 1; n <= count && following.length < limit; n++) following.push([each, n]);
  return following;
}

/** Finds the line with this index among the lines of all parts. The index counts from 0. */
function lineAt(sizes: readonly PartSize[], index: number): LineNumber {
  let left = index;
  for (const { part, count } of sizes) {
    if (left < count) return [part, left + 1];
    left -= count;
  }
  return [0, 0];
}
