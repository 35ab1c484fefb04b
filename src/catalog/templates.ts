// Configures `versioned.ts` for message templates. A reference is a name, or a name with a version.
import { templates } from "./tables/templates.ts";
import { byName, type Versioned, type VersionKey } from "./versioned.ts";

export type StoredTemplate = typeof templates.$inferSelect;

export const templateVersions: Versioned<StoredTemplate, VersionKey> = {
  table: templates,
  quota: "templates",
  matching: (key) => byName(templates, key),
  ofName: (name) => ({ name, version: null }),
};
