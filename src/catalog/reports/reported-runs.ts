// Finds the catalog's rows of runs that callbacks name.
import type { Db } from "../db.ts";
import type { RunKey } from "./delivery-statuses.ts";

/** The facts about a run that a callback needs. `definition`: the name of the run's definition. */
export type ReportedRunRow = {
  readonly execution: string;
  readonly id: string;
  readonly type: string;
  readonly action: string;
  readonly definition: string;
  readonly attempt: number;
  readonly incarnation: number;
};

export async function findRunRows(db: Db, tenant: string, keys: readonly RunKey[]): Promise<readonly ReportedRunRow[]> {
  if (keys.length === 0) return [];
  const sql = `SELECT r.execution, r.id, r.type, r.action, r.definition, r.attempt, r.incarnation
    FROM json_each(?2) k CROSS JOIN runs r
    WHERE r.tenant = ?1 AND r.execution = k.value ->> '$.execution' AND r.id = k.value ->> '$.run'`;
  return (await db.$client.prepare(sql).bind(tenant, JSON.stringify(keys)).all<ReportedRunRow>()).results;
}
