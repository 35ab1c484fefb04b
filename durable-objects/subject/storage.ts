// Subject rows: one for each journey that the subject has entered, and one for each cap that counts it. The first write
// creates the tables, so that a read of an unknown subject leaves no storage behind.
import type { CapRow } from "#schema/subject/cap.ts";
import type { JourneyRow } from "#schema/subject/enrolment.ts";

export type SubjectStorage = {
  readonly journey: (name: string) => JourneyRow | null;
  readonly journeys: () => readonly JourneyRow[];
  readonly countJourneys: () => number;
  readonly putJourney: (row: JourneyRow) => void;
  readonly dropJourney: (name: string) => void;
  readonly cap: (name: string) => CapRow | null;
  readonly caps: () => readonly CapRow[];
  readonly countCaps: () => number;
  readonly putCap: (row: CapRow) => void;
  readonly dropCap: (name: string) => void;
  /** Deletes all rows. */
  readonly reset: () => Promise<void>;
};

type Table = "journeys" | "caps";

export function subjectStorage(storage: Pick<DurableObjectStorage, "sql" | "deleteAll">): SubjectStorage {
  const { sql } = storage;
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'journeys'").toArray().length > 0;
  const bodies = <Row>(query: string, ...bindings: readonly string[]): readonly Row[] =>
    ready
      ? sql
          .exec<{ body: string }>(query, ...bindings)
          .toArray()
          .map(({ body }) => JSON.parse(body) as Row) // `put` wrote this JSON
      : [];
  const count = (table: Table): number =>
    ready ? (sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).toArray()[0]?.n ?? 0) : 0;
  const put = (table: Table, name: string, row: JourneyRow | CapRow): void => {
    if (!ready) createTables(sql);
    ready = true;
    const upsert = `INSERT INTO ${table} VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body`;
    sql.exec(upsert, name, JSON.stringify(row));
  };
  const drop = (table: Table, name: string): void => {
    if (ready) sql.exec(`DELETE FROM ${table} WHERE name = ?`, name);
  };
  return {
    journey: (name) => bodies<JourneyRow>("SELECT body FROM journeys WHERE name = ?", name)[0] ?? null,
    journeys: () => bodies<JourneyRow>("SELECT body FROM journeys ORDER BY name"),
    countJourneys: () => count("journeys"),
    putJourney: (row) => put("journeys", row.journey, row),
    dropJourney: (name) => drop("journeys", name),
    cap: (name) => bodies<CapRow>("SELECT body FROM caps WHERE name = ?", name)[0] ?? null,
    caps: () => bodies<CapRow>("SELECT body FROM caps ORDER BY name"),
    countCaps: () => count("caps"),
    putCap: (row) => put("caps", row.cap, row),
    dropCap: (name) => drop("caps", name),
    reset: async () => {
      ready = false;
      await storage.deleteAll();
    },
  };
}

/** WITHOUT ROWID, so that a change writes a single row and no index. */
function createTables(sql: SqlStorage): void {
  for (const table of ["journeys", "caps"])
    sql.exec(`CREATE TABLE ${table} (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID, STRICT`);
}
