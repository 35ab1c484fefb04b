// Stores and compares the caps of definitions. Each cap of a name has one row, for the version that the name resolves
// to. The rows are replaced in the batch that changes this version.
import { and, eq, sql } from "drizzle-orm";
import type { Allowances } from "#schema/subject/cap.ts";
import type { Db } from "../db.ts";
import { definitionCaps } from "../tables/definition-caps.ts";
import type { publications } from "../tables/publications.ts";

type Place = Pick<typeof publications.$inferSelect, "tenant" | "name" | "number">;
/** The caps of a version. The id identifies the version, because a concurrent request may store another body under its number. */
export type VersionCaps = { readonly id: string; readonly version: number; readonly allowances: Allowances };

/**
 * Returns the statements that replace the caps of a name. They follow the publication in its batch, and change nothing
 * if the publication was not recorded.
 */
export function replaceCaps(db: Db, { tenant, name, number }: Place, { id, version, allowances }: VersionCaps) {
  const isRecorded = sql`EXISTS (SELECT 1 FROM publications AS p, definitions AS d
    WHERE p.tenant = ${tenant} AND p.name = ${name} AND p.number = ${number} AND p.version = ${version}
      AND d.tenant = p.tenant AND d.name = p.name AND d.version = p.version AND d.id = ${id})`;
  const isOfName = and(eq(definitionCaps.tenant, tenant), eq(definitionCaps.name, name));
  const rows = sql`SELECT ${tenant}, ${name}, a.key, ${version}, a.value FROM json_each(${JSON.stringify(allowances)}) AS a`;
  return [
    db.delete(definitionCaps).where(and(isOfName, isRecorded)),
    db.insert(definitionCaps).select(sql`${rows} WHERE ${isRecorded}`),
  ] as const;
}

export type OtherAllowance = { readonly cap: string; readonly name: string; readonly allowance: string };

/**
 * Finds for each cap one other definition of the tenant that has another allowance for it. The index skips the equal
 * allowances, so the cost does not depend on the number of definitions that agree.
 */
export async function findOtherAllowances(
  db: Db,
  tenant: string,
  name: string,
  allowances: Allowances,
): Promise<readonly OtherAllowance[]> {
  const other = (order: "<" | ">") => sql`(SELECT json_object('cap', a.key, 'name', c.name, 'allowance', c.allowance)
    FROM definition_caps AS c INDEXED BY definition_caps_allowance CROSS JOIN definitions AS d
    WHERE c.tenant = ${tenant} AND c.cap = a.key AND c.allowance ${sql.raw(order)} a.value AND c.name <> ${name}
      AND d.tenant = c.tenant AND d.name = c.name AND d.version = c.version
      AND d.archived_at IS NULL AND d.withheld IS NULL LIMIT 1)`;
  const rows = await db.all<{ other: string | null }>(
    sql`SELECT coalesce(${other("<")}, ${other(">")}) AS other FROM json_each(${JSON.stringify(allowances)}) AS a`,
  );
  // The query builds the object, so it has this shape.
  return rows.flatMap(({ other }) => (other === null ? [] : [JSON.parse(other) as OtherAllowance]));
}
