// Definitions, one row a version. A reference is a name, a name with a version, or the id of one version.
import { eq } from "drizzle-orm";
import { definitions } from "./tables/definitions.ts";
import { byName, type Versioned, type VersionKey } from "./versioned.ts";

export type StoredDefinition = typeof definitions.$inferSelect;
export type DefinitionKey = { readonly id: string } | VersionKey;

export const definitionVersions: Versioned<StoredDefinition, DefinitionKey> = {
  table: definitions,
  quota: "definitions",
  matching: (key) => ("id" in key ? eq(definitions.id, key.id) : byName(definitions, key)),
};
