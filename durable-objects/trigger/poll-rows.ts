// Poller rows: its state, the ids of seen items, and the items that are not delivered yet.
import type { UndeliveredItem, PollSeen, PollState } from "#schema/inbound/polling.ts";
import { POLL_RELEASED_AT_ONCE, POLL_RELEASED_BYTES, POLL_SEEN_MAX } from "#schema/limits/inbound/polling.ts";
import type { Backlog } from "#policy/polling/step.ts";
import type { Store, TableGroup } from "#objects/host/store.ts";
import type { Owner, Queries } from "./storage.ts";

const CREATE = [
  "CREATE TABLE poll (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL)",
  `CREATE TABLE seen (id TEXT PRIMARY KEY, hash TEXT NOT NULL, version INTEGER NOT NULL, cycle INTEGER NOT NULL,
    base INTEGER NOT NULL, n INTEGER NOT NULL) WITHOUT ROWID`,
  // Finds the ids that were seen longest ago.
  "CREATE INDEX seen_n ON seen (n)",
  `CREATE TABLE held (n INTEGER PRIMARY KEY, cycle INTEGER NOT NULL, rank INTEGER NOT NULL, bytes INTEGER NOT NULL,
    item TEXT NOT NULL)`,
  "CREATE INDEX held_order ON held (cycle, rank)",
];
const pollTables: TableGroup = { first: "poll", create: CREATE };

export type PollRows = ReturnType<typeof pollRows>;
type SeenItem = PollSeen & { readonly id: string };

export function pollRows(store: Store) {
  const { exist, rows: all, write: run } = store.tables(pollTables);
  return {
    state: (): PollState | null => {
      const [row] = all("SELECT state FROM poll");
      return row === undefined ? null : (JSON.parse(String(row["state"])) as PollState); // `keep` wrote this JSON
    },
    owner: (): Owner | null => {
      const [row] = all("SELECT owner FROM poll");
      return row === undefined ? null : (JSON.parse(String(row["owner"])) as Owner); // `keep` wrote this JSON
    },
    keep: (owner: Owner, state: PollState): void => {
      run("INSERT OR REPLACE INTO poll VALUES (1, ?, ?)", JSON.stringify(owner), JSON.stringify(state));
    },
    /** Deletes all ids and items, because the poller now reads another list. */
    clear: (): void => {
      if (!exist()) return;
      run("DELETE FROM seen");
      run("DELETE FROM held");
    },
    ...seenRows(all, run),
    ...heldRows(all, run),
  };
}

type All = Queries["all"];
type Run = Queries["run"];

function seenRows(all: All, run: Run) {
  return {
    /** Returns the stored data of those ids that were seen before. */
    known: (ids: readonly string[]): ReadonlyMap<string, PollSeen> =>
      new Map(
        all("SELECT * FROM seen WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids)).map(
          ({ id, hash, version, cycle, base, n }) => [
            String(id),
            { hash: String(hash), version: Number(version), cycle: Number(cycle), base: Number(base), n: Number(n) },
          ],
        ),
      ),
    see: (seen: readonly SeenItem[]): void => {
      for (const { id, hash, version, cycle, base, n } of seen)
        run("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?, ?)", id, hash, version, cycle, base, n);
    },
    /** Deletes the ids that were seen longest ago, above the limit. */
    unsee: (): void => {
      const newestSurplus = "SELECT n FROM seen ORDER BY n DESC LIMIT 1 OFFSET ?";
      run(`DELETE FROM seen WHERE n <= coalesce((${newestSurplus}), -1)`, POLL_SEEN_MAX);
    },
    seenCount: (): number => Number(all("SELECT count(*) AS n FROM seen")[0]?.["n"] ?? 0),
  };
}

function heldRows(all: All, run: Run) {
  return {
    hold: (items: readonly UndeliveredItem[]): void => {
      for (const item of items) {
        const text = JSON.stringify(item);
        const bytes = new TextEncoder().encode(text).byteLength;
        run("INSERT INTO held VALUES (?, ?, ?, ?, ?)", item.n, item.cycle, item.rank, bytes, text);
      }
    },
    /** Returns the oldest items, as many as one call can deliver. */
    oldestHeld: (): readonly UndeliveredItem[] => {
      const rows = all("SELECT item, bytes FROM held ORDER BY cycle, rank LIMIT ?", POLL_RELEASED_AT_ONCE);
      const items: UndeliveredItem[] = [];
      let total = 0;
      for (const { item, bytes } of rows) {
        total += Number(bytes);
        if (items.length > 0 && total > POLL_RELEASED_BYTES) break;
        items.push(JSON.parse(String(item)) as UndeliveredItem); // `hold` wrote this JSON
      }
      return items;
    },
    /** Returns the poll cycle of the oldest item; null if every item is delivered. */
    oldestCycle: (): number | null => {
      const [row] = all("SELECT cycle FROM held ORDER BY cycle, rank LIMIT 1");
      return row === undefined ? null : Number(row["cycle"]);
    },
    isHeld: (n: number): boolean => all("SELECT 1 FROM held WHERE n = ?", n).length > 0,
    release: (n: number): void => run("DELETE FROM held WHERE n = ?", n),
    backlog: (): Backlog => {
      const [row] = all("SELECT count(*) AS n, total(bytes) AS bytes FROM held");
      return { count: Number(row?.["n"] ?? 0), bytes: Number(row?.["bytes"] ?? 0) };
    },
  };
}
