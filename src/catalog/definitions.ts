// Configures `versioned.ts` for definitions. A reference is a name, a name with a version, a name's newest draft, or a
// version's id.
import { and, eq, isNull, sql } from "drizzle-orm";
import { resolvedVersion } from "./publications/name-resolution.ts";
import { recordArchived } from "./publications/publications.ts";
import { definitions } from "./tables/definitions.ts";
import { byName, type Versioned, type VersionKey } from "./versioned.ts";

export type StoredDefinition = typeof definitions.$inferSelect & {
  /** True if the definition's name resolves to this version. */
  readonly isNameTarget: boolean;
};
export type DefinitionKey = { readonly id: string } | { readonly name: string; readonly draft: true } | VersionKey;

/** Subquery in a query of definitions: the version that the row's name resolves to. */
const resolvedByItsName = resolvedVersion(sql.raw("definitions.tenant"), sql.raw("definitions.name"));

export const definitionVersions: Versioned<StoredDefinition, DefinitionKey> = {
  table: definitions,
  quota: "definitions",
  matching: (key) => {
    if ("id" in key) return eq(definitions.id, key.id);
    if (!("draft" in key)) return byName(definitions, key);
    return and(eq(definitions.name, key.name), eq(definitions.withheld, "draft"), isNull(definitions.archivedAt));
  },
  preferred: (tenant, key) =>
    "version" in key && key.version === null
      ? and(eq(definitions.name, key.name), sql`version = ${resolvedVersion(sql`${tenant}`, sql`${key.name}`)}`)
      : undefined,
  ofName: (name) => ({ name, version: null }),
  resolved: resolvedByItsName,
  derived: { isNameTarget: sql`coalesce(definitions.version = ${resolvedByItsName}, FALSE)`.mapWith(Boolean) },
  archiving: (db, audit, { name, version }, key) =>
    recordArchived(db, audit, name, "version" in key && key.version === null ? null : version),
};
