// Search variables: stores which variables definitions declare, and writes the values of executions. An execution's row
// has its values as JSON, so that the rows of old values are found without another index.
import { sql, type SQL } from "drizzle-orm";
import type { SearchType, SearchVariables } from "#schema/search/search-variables.ts";
import { SEARCH_DECLARATIONS_READ } from "#schema/limits/api-requests.ts";
import type { Db } from "../db.ts";
import { executionVariables, searchVariables } from "../tables/executions.ts";

/** Records the search variables of a definition. A variable that is recorded already is not written again. */
export async function declareSearchVariables(
  db: Db,
  tenant: string,
  definition: string,
  declared: SearchVariables,
): Promise<void> {
  const rows = Object.entries(declared).map(([name, type]) => ({ tenant, name, type, definition }));
  if (rows.length > 0) await db.insert(searchVariables).values(rows).onConflictDoNothing();
}

export type SearchVariable = { readonly name: string; readonly type: SearchType };

/** Returns the declared variables of one definition, or of all definitions of the tenant (`definition` is null). */
export async function readSearchVariables(
  db: Db,
  tenant: string,
  definition: string | null,
): Promise<readonly SearchVariable[]> {
  const ofDefinition = definition === null ? sql`TRUE` : sql`definition = ${definition}`;
  return db.all<SearchVariable>(sql`SELECT DISTINCT name, type FROM search_variables
    WHERE tenant = ${tenant} AND ${ofDefinition} ORDER BY name, type LIMIT ${SEARCH_DECLARATIONS_READ}`);
}

const STORED_ROW = `CROSS JOIN executions e ON e.tenant = j.value ->> '$.tenant'
  AND e.created_at = j.value ->> '$.createdAt' AND e.id = j.value ->> '$.id'`;
const COLUMNS = "tenant, name, value, created_at, execution";

/** Removes the values that the sent rows change. */
const removeChanged = `DELETE FROM execution_variables WHERE (${COLUMNS}) IN (
  SELECT e.tenant, v.key, v.value, e.created_at, e.id FROM json_each(?1) j ${STORED_ROW} CROSS JOIN json_each(e.search) v
  WHERE j.value ->> '$.seq' > e.seq AND (j.value -> '$.search') ->> v.key IS NOT v.value)`;

/** Inserts the values of the sent rows, unless a row is older than the stored one, or its execution was erased. */
const insertNew = `INSERT INTO execution_variables (${COLUMNS})
  SELECT j.value ->> '$.tenant', v.key, v.value, j.value ->> '$.createdAt', j.value ->> '$.id'
  FROM json_each(?1) j ${STORED_ROW.replace("CROSS", "LEFT")} CROSS JOIN json_each(j.value, '$.search') v
  WHERE e.id IS NULL OR (j.value ->> '$.seq' > e.seq AND e.erased_at IS NULL) ON CONFLICT DO NOTHING`;

/**
 * The statements that write the values of projected rows, before the rows themselves are written. Each binds the rows
 * as one JSON parameter.
 */
export const searchStatements = [removeChanged, insertNew] as const;

/** Builds the statement that deletes the values of executions. `keys`: selects tenant, created_at and id. */
export function deleteValues(db: Db, keys: SQL) {
  return db.delete(executionVariables).where(sql`(tenant, name, value, created_at, execution) IN (
    SELECT e.tenant, v.key, v.value, e.created_at, e.id FROM executions e CROSS JOIN json_each(e.search) v
    WHERE (e.tenant, e.created_at, e.id) IN (${keys}))`);
}
