// Alert configs: turns a channel's config into the config of an action, with placeholders for the alert's values. The
// alert is passed as variables, so nothing in an error message can act as a template.
import type { AlertKind } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";

/**
 * Returns the fields of an action's config that no channel may set. Each alert sets these fields itself, or they would
 * replace the fields that the alert sets.
 */
export function fieldsOfAlerts(kind: AlertKind): readonly string[] {
  switch (kind) {
    case "email":
      return ["subject", "text", "html", "template", "templateId", "variables"];
    case "slack":
      return ["text", "blocks"];
    case "webhook":
      return ["payload"];
  }
}

/** Builds the action's config. `word` returns the placeholder for one of the alert's values, by its name. */
export function alertConfig(kind: AlertKind, config: JsonObject, word: (name: string) => string): JsonObject {
  switch (kind) {
    case "email":
      return { ...config, subject: word("subject"), text: word("text"), html: word("html") };
    case "slack":
      return { ...config, text: word("text") };
    case "webhook":
      return { ...config, payload: word("alert") };
  }
}
