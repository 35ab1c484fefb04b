// A channel's config as the config of an action: what the channel says, and places for what the alert says. The alert
// comes in as variables, so that nothing in an error message is ever taken for a template.
import type { AlertKind } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";

/** Fields that no channel may set, because each alert does, or because they would take their place. */
export function saidByAlerts(kind: AlertKind): readonly string[] {
  switch (kind) {
    case "email":
      return ["subject", "text", "html", "template", "templateId", "variables"];
    case "slack":
      return ["text", "blocks"];
    case "webhook":
      return ["payload"];
  }
}

/** `word` says what stands in the place of an alert's word, by its name. */
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
