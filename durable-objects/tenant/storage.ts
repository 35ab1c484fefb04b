// Tenant rows: one row with the used quotas. The first write creates the table, so that a read of an unused tenant
// leaves no storage behind. A row of another version is ignored, because the counts are complete again within a day.
import type { MeterState } from "#policy/gates/quotas/quota.ts";

const METER = 1;
const VERSION = 1;

type Stored = { readonly v: number; readonly state: MeterState };

export type MeterStorage = { readonly read: () => MeterState | null; readonly write: (state: MeterState) => void };

export function meterStorage({ sql }: Pick<DurableObjectStorage, "sql">): MeterStorage {
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'rows'").toArray().length > 0;
  return {
    read: () => {
      if (!ready) return null;
      const [row] = sql.exec<{ body: string }>("SELECT body FROM rows WHERE id = ?", METER).toArray();
      if (row === undefined) return null;
      const stored = JSON.parse(row.body) as Stored; // `write` wrote this JSON, in this version or another
      return stored.v === VERSION ? stored.state : null;
    },
    write: (state) => {
      if (!ready) sql.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
      ready = true;
      const body = JSON.stringify({ v: VERSION, state } satisfies Stored);
      sql.exec("INSERT INTO rows VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body", METER, body);
    },
  };
}
