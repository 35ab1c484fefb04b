// Alert configs: turns a channel's config into an action's config, with placeholders for the alert's values. The values
// are variables, so no text in an error message is rendered as a template.
import type { AlertKind } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";

/**
 * Returns the fields of an action's config that no channel may set, because each alert sets them itself. The list also
 * contains fields that would replace a field of the alert.
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

/** Builds the action's config. `word` maps the name of one of the alert's values to the value's placeholder. */
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
