// Rows of an operation: its state; if it has a list, a row for each uploaded part or page of found executions, and one for
// each line that failed.
import type { OperationState } from "#policy/operations/pace.ts";
import type { Json } from "#schema/json.ts";
import type { LineTrouble, NumberedLine, Part, TroublePage } from "#schema/subject/enrolling.ts";
import type { HostedStorage } from "#objects/host/host.ts";
import { storedValue, values, type Store, type StoredValue, type TableGroup } from "#objects/host/store.ts";

const STATE = 1;

export type OperationStorage = HostedStorage & StoredValue<OperationState> & { readonly lists: ListStorage };

export type ListStorage = {
  /** The fingerprint of a part; null if it was not uploaded. */
  readonly part: (part: number) => string | null;
  readonly putPart: (part: Part, body: string) => void;
  /** The ids of lines after one, in order. `cursor`: null after the last page. */
  readonly ids: (
    after: string | null,
    limit: number,
  ) => { readonly ids: readonly string[]; readonly cursor: string | null };
  /** As many as fit into `bytesMax`, at least one. */
  readonly lines: (ids: readonly string[], bytesMax: number) => readonly NumberedLine[];
  /** `count` lines, spread over all of them. */
  readonly sample: (count: number) => readonly NumberedLine[];
  /** The same of the first `of` lines, without those that failed. */
  readonly sampleDone: (count: number, of: number) => readonly NumberedLine[];
  readonly putTroubles: (troubles: readonly LineTrouble[]) => void;
  readonly troubles: (after: string | null, limit: number) => TroublePage;
};

type Place = readonly [part: number, line: number];
type Size = { readonly part: number; readonly count: number };

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
  const sizes = (from: number): readonly Size[] =>
    rows<Size>("SELECT part, count FROM parts WHERE part >= ? ORDER BY part", from);
  const bodyOf = (part: number): readonly Json[] =>
    JSON.parse(rows<{ body: string }>("SELECT body FROM parts WHERE part = ?", part)[0]?.body ?? "[]") as Json[]; // written by putPart
  const spread = (count: number, most: number): readonly Place[] => {
    const known = sizes(0);
    const total = Math.min(most, sizeOf(known));
    const wanted = Math.min(count, total);
    return Array.from({ length: wanted }, (_, n) => placeAt(known, Math.floor((n * total) / wanted)));
  };
  const hasTrouble = ([part, line]: Place): boolean =>
    rows("SELECT 1 FROM troubles WHERE part = ? AND line = ?", part, line).length > 0;
  const read = (places: readonly Place[], bytesMax: number): readonly NumberedLine[] => {
    const bodies = new Map<number, readonly Json[]>();
    const found: NumberedLine[] = [];
    let bytes = 0;
    for (const [part, line] of places) {
      const body = bodies.get(part) ?? bodyOf(part);
      bodies.set(part, body);
      const one = body[line - 1] ?? null;
      bytes += new TextEncoder().encode(JSON.stringify(one)).byteLength;
      if (found.length > 0 && bytes > bytesMax) break;
      found.push({ id: `${part}.${line}`, line: one });
    }
    return found;
  };
  return {
    part: (part) => rows<{ digest: string }>("SELECT digest FROM parts WHERE part = ?", part)[0]?.digest ?? null,
    putPart: ({ part, lines, fingerprint }, body) => {
      write("INSERT INTO parts VALUES (?, ?, ?, ?)", part, lines.length, fingerprint, body);
    },
    ids: (after, limit) => {
      const [part, line] = placeOf(after);
      const all = placesFrom(sizes(part), [part, line], limit + 1);
      const ids = all.slice(0, limit).map(idOf);
      return { ids, cursor: all.length > limit ? (ids.at(-1) ?? null) : null };
    },
    lines: (ids, bytesMax) => read(ids.map(placeOf), bytesMax),
    sample: (count) => read(spread(count, Infinity), Infinity),
    sampleDone: (count, of) =>
      read(
        spread(count, of).filter((place) => !hasTrouble(place)),
        Infinity,
      ),
    putTroubles: (troubles) => {
      for (const { part, line, code, message } of troubles)
        write("INSERT OR REPLACE INTO troubles VALUES (?, ?, ?, ?)", part, line, code, message);
    },
    troubles: (after, limit) => {
      const query =
        "SELECT part, line, code, message FROM troubles WHERE (part, line) > (?, ?) ORDER BY part, line LIMIT ?";
      const found = rows<LineTrouble>(query, ...placeOf(after), limit + 1);
      const data = found.slice(0, limit);
      const last = data.at(-1);
      return { data, next: found.length > limit && last !== undefined ? idOf([last.part, last.line]) : null };
    },
  };
}

function sizeOf(sizes: readonly Size[]): number {
  return sizes.reduce((sum, { count }) => sum + count, 0);
}

/** Parts count from 1, and so do the lines of each. */
function placeOf(id: string | null): Place {
  const [part = 0, line = 0] = (id ?? "0.0").split(".").map(Number);
  return [part, line];
}

function idOf([part, line]: Place): string {
  return `${part}.${line}`;
}

function placesFrom(sizes: readonly Size[], [part, line]: Place, limit: number): readonly Place[] {
  const places: Place[] = [];
  for (const { part: each, count } of sizes)
    for (let n = each === part ? line + 1 : 1; n <= count && places.length < limit; n++) places.push([each, n]);
  return places;
}

/** The line at that place of all lines, counted from 0. */
function placeAt(sizes: readonly Size[], at: number): Place {
  let left = at;
  for (const { part, count } of sizes) {
    if (left < count) return [part, left + 1];
    left -= count;
  }
  return [0, 0];
}
