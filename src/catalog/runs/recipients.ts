// Recipients: finds runs by the recipients of their messages. A run's row has its recipients as JSON, so that their rows
// are found without another index.
import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db.ts";
import { runRecipients } from "../tables/runs.ts";

/** Inserts the recipients of projected runs. The statement binds the rows as one JSON parameter. */
export const insertRecipients = `INSERT INTO run_recipients (tenant, recipient, created_at, execution, run)
  SELECT j.value ->> '$.tenant', r.value, j.value ->> '$.createdAt', j.value ->> '$.execution', j.value ->> '$.id'
  FROM json_each(?1) j CROSS JOIN json_each(j.value, '$.recipients') r WHERE true ON CONFLICT DO NOTHING`;

const SENT = "nullif(excluded.recipients, 'null')";
/** SQL of the recipients of a replaced row: also the earlier ones, so that none is left when the run is deleted. */
export const ALL_RECIPIENTS = `CASE WHEN ${SENT} IS NULL OR runs.recipients IS NULL
  THEN coalesce(${SENT}, runs.recipients) ELSE (SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(nullif(runs.recipients, 'null')) UNION SELECT value FROM json_each(${SENT}))) END`;

/** Builds the statement that deletes the recipients of runs. `keys`: selects tenant, execution and id. */
export function deleteRecipients(db: Db, keys: SQL) {
  return db.delete(runRecipients).where(sql`(tenant, recipient, created_at, execution, run) IN (
    SELECT r.tenant, v.value, r.created_at, r.execution, r.id FROM runs r CROSS JOIN json_each(r.recipients) v
    WHERE (r.tenant, r.execution, r.id) IN (${keys}))`);
}
