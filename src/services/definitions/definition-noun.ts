// Describes definitions for the use cases that they share with templates.
import { definitionVersions, type DefinitionKey, type StoredDefinition } from "#catalog/definitions.ts";
import type { VersionedNoun } from "../versioned/versioned-noun.ts";
import { cacheDefinition, evictDefinition, parseReference } from "./find-definition.ts";

export const definitionNoun: VersionedNoun<StoredDefinition, DefinitionKey> = {
  word: "definition",
  versions: definitionVersions,
  keyOf: parseReference,
  isCurrent: ({ isNameTarget, archivedAt }) => isNameTarget && archivedAt === null,
  cache: cacheDefinition,
  evict: evictDefinition,
};
