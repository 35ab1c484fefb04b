// Alert configs: turns a channel's config into the config of an action, with placeholders for the alert's values. The
// alert is passed as variables, so nothing in an error message can act as a template.
import type { AlertKind } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";

/**
 * Returns the fields that no channel may set, because each alert sets them, or because they would replace the alert's
 * fields.
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
