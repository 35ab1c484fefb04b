// The definition noun, for the use cases that definitions share with templates.
import { definitionVersions, type DefinitionKey, type StoredDefinition } from "#catalog/definitions.ts";
import type { VersionedNoun } from "../versioned/versioned-noun.ts";
import { parseReference } from "./program-of.ts";
import { forgetDefinition, learnDefinition } from "./find-definition.ts";

export const definitionNoun: VersionedNoun<StoredDefinition, DefinitionKey> = {
  word: "definition",
  versions: definitionVersions,
  keyOf: parseReference,
  learn: learnDefinition,
  forget: forgetDefinition,
};
