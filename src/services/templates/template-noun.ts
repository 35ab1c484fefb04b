// Message templates, for the use cases that they share with definitions.
import { templateVersions, type StoredTemplate } from "#catalog/templates.ts";
import type { VersionKey } from "#catalog/versioned.ts";
import { versionKey } from "../versioned/version-reference.ts";
import type { VersionedNoun } from "../versioned/versioned-noun.ts";
import { forgetTemplate, learnTemplate } from "./find-template.ts";

export const templateNoun: VersionedNoun<StoredTemplate, VersionKey> = {
  word: "template",
  versions: templateVersions,
  keyOf: versionKey,
  learn: learnTemplate,
  forget: forgetTemplate,
};
