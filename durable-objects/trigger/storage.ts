// Rows of a trigger's object: its deliveries and, for a poller, what it has read. A delivery is one row; while it is on its way
// it has a row in `pending` as well, so that its arrival deletes one small row.
import type { TriggerTerms } from "#schema/inbound/delivery.ts";
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
import { deliveryRows } from "./delivery-rows.ts";
import { pollRows, type PollRows } from "./poll-rows.ts";
import { agingRows, pendingRows, tallyRows } from "./side-rows.ts";

const NEWS = 1;

const CREATE = [
  // The id is `seq`. `status`: the first outcome, or the final one if it is another.
  `CREATE TABLE deliveries (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, identity TEXT NOT NULL, status TEXT NOT NULL,
    execution TEXT, event TEXT, effect TEXT, place TEXT, reason TEXT, request TEXT)`,
  // Finds and refuses duplicates.
  "CREATE UNIQUE INDEX deliveries_identity ON deliveries (identity)",
  // For lists of deliveries that did nothing or wait to be replayed. Applied deliveries cost no row here.
  "CREATE INDEX deliveries_status ON deliveries (status, seq) WHERE status <> 'applied'",
  // `since`: when the tries began; a replayed delivery begins again.
  "CREATE TABLE pending (seq INTEGER PRIMARY KEY, due INTEGER NOT NULL, tries INTEGER NOT NULL, since INTEGER NOT NULL)",
  "CREATE TABLE places (name TEXT PRIMARY KEY, value TEXT NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID",
  `CREATE TABLE counts (id INTEGER PRIMARY KEY, stuck INTEGER NOT NULL, bytes INTEGER NOT NULL, emptied INTEGER NOT NULL,
    owner TEXT NOT NULL)`,
];
const deliveryTables: TableGroup = { first: "counts", create: CREATE };

/** The trigger of the object: an alarm does not name it. */
export type Owner = Pick<TriggerTerms, "tenant" | "trigger" | "kind">;
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
  readonly told: StoredValue<SentTriggerAlerts>;
};

export function triggerStorage(store: Store): TriggerStorage {
  const { atomically, reset } = store;
  const told = storedValue<SentTriggerAlerts>(store.tables(values), NEWS);
  return { atomically, reset, rows: triggerRows(store), polls: pollRows(store), told };
}

export function triggerRows(store: Store) {
  const { isThere, rows, write } = store.tables(deliveryTables);
  const first: Queries["first"] = (query, ...given) => rows(query, ...given)[0] ?? null;
  const queries: Queries = { all: rows, first, run: write };
  return {
    atomically: store.atomically,
    prepare: (owner: Owner): void => {
      if (!isThere()) write("INSERT INTO counts VALUES (1, 0, 0, 0, ?)", JSON.stringify(owner));
    },
    owner: (): Owner | null => {
      const row = first("SELECT owner FROM counts");
      return row && (JSON.parse(String(row["owner"])) as Owner); // written by prepare
    },
    ...deliveryRows(queries),
    ...pendingRows(queries),
    ...tallyRows(queries),
    ...agingRows(queries),
  };
}
