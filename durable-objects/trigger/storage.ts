// Trigger rows: the deliveries, and for a poller the items that it has seen. A delivery is one row. While its effect is
// not done, it also has a row in `pending`. The completion of the effect then only deletes that small row.
import type { RefusedSender, TriggerTerms } from "#schema/inbound/delivery.ts";
import type { SentTriggerAlerts } from "#schema/inbound/trigger-alert.ts";
import type { HostedStorage } from "#objects/host/host.ts";
import {
  storedValue,
  values,
  type Store,
  type StoredValue,
  type TableGroup,
  type Values,
} from "#objects/host/store.ts";
import { deliveryLists, deliveryRows } from "./delivery-rows.ts";
import { pendingRows } from "./pending-rows.ts";
import { pollRows, type PollRows } from "./poll-rows.ts";
import { publishedRows } from "./published-rows.ts";
import { retentionRows } from "./retention-rows.ts";
import { sequenceRows } from "./sequence-rows.ts";

/** The id of the value `reported`. */
const REPORTED = 1;
/** The id of the value `refused`. */
const REFUSED = 2;

const CREATE = [
  // The delivery's id is `trd_` and `seq`. `status`: the first outcome, or the final one.
  `CREATE TABLE deliveries (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, identity TEXT NOT NULL, status TEXT NOT NULL,
    execution TEXT, event TEXT, effect TEXT, place TEXT, reason TEXT, request TEXT)`,
  // This index finds duplicates, and SQLite refuses them.
  "CREATE UNIQUE INDEX deliveries_identity ON deliveries (identity)",
  // Finds deliveries that had no effect, or that an operator may replay. Applied deliveries are not in this index.
  "CREATE INDEX deliveries_status ON deliveries (status, seq) WHERE status <> 'applied'",
  // `since`: when the tries began, epoch ms. A replay sets it to the current time.
  "CREATE TABLE pending (seq INTEGER PRIMARY KEY, due INTEGER NOT NULL, tries INTEGER NOT NULL, since INTEGER NOT NULL)",
  "CREATE TABLE places (name TEXT PRIMARY KEY, value TEXT NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID",
  `CREATE TABLE counts (id INTEGER PRIMARY KEY, stuck INTEGER NOT NULL, bytes INTEGER NOT NULL, emptied INTEGER NOT NULL,
    owner TEXT NOT NULL)`,
];
const deliveryTables: TableGroup = { first: "counts", create: CREATE };

/** The trigger of the object. It is stored, because an alarm does not name it. */
export type Owner = Pick<TriggerTerms, "tenant" | "trigger" | "kind">;
/**
 * `stuck`: how many deliveries wait for an operator. `bytes`: the size of their requests. `emptied`: the last `seq`
 * whose request was deleted.
 */
export type Counts = { readonly stuck: number; readonly bytes: number; readonly emptied: number };
export type Raw = { readonly [column: string]: SqlStorageValue };
export type Queries = {
  readonly all: (query: string, ...values: Values) => readonly Raw[];
  readonly first: (query: string, ...values: Values) => Raw | null;
  readonly run: (query: string, ...values: Values) => void;
};

export type TriggerRows = ReturnType<typeof triggerRows>;
export type TriggerStorage = HostedStorage & {
  readonly rows: TriggerRows;
  readonly polls: PollRows;
  /** The alerts that were sent. */
  readonly reported: StoredValue<SentTriggerAlerts>;
  /** The latest refused sender. */
  readonly refused: StoredValue<RefusedSender>;
};

export function triggerStorage(store: Store): TriggerStorage {
  const { atomically, reset } = store;
  const reported = storedValue<SentTriggerAlerts>(store.tables(values), REPORTED);
  const refused = storedValue<RefusedSender>(store.tables(values), REFUSED);
  return { atomically, reset, rows: triggerRows(store), polls: pollRows(store), reported, refused };
}

export function triggerRows(store: Store) {
  const { exist, rows, write } = store.tables(deliveryTables);
  const first: Queries["first"] = (query, ...bindings) => rows(query, ...bindings)[0] ?? null;
  const queries: Queries = { all: rows, first, run: write };
  return {
    atomically: store.atomically,
    /** Stores the owner at the first write, because an alarm does not name the trigger. */
    prepare: (owner: Owner): void => {
      if (!exist()) write("INSERT INTO counts VALUES (1, 0, 0, 0, ?)", JSON.stringify(owner));
    },
    /** Returns null before the first delivery. */
    owner: (): Owner | null => {
      const row = first("SELECT owner FROM counts");
      return row && (JSON.parse(String(row["owner"])) as Owner); // `prepare` wrote this JSON
    },
    counts: (): Counts => {
      const row = first("SELECT stuck, bytes, emptied FROM counts");
      return row === null
        ? { stuck: 0, bytes: 0, emptied: 0 }
        : { stuck: Number(row["stuck"]), bytes: Number(row["bytes"]), emptied: Number(row["emptied"]) };
    },
    setCounts: ({ stuck, bytes, emptied }: Counts): void => {
      write("UPDATE counts SET stuck = ?, bytes = ?, emptied = ?", stuck, bytes, emptied);
    },
    ...deliveryRows(queries),
    ...deliveryLists(queries),
    ...pendingRows(queries),
    ...publishedRows(queries),
    ...sequenceRows(queries),
    ...retentionRows(queries),
  };
}
