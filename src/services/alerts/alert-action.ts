// Alert actions: builds the action that sends an alert. The alert's texts are variables, so an error message is never
// rendered as a template. Each text is escaped for the markup of the channel's kind.
import type { StoredAlertChannel } from "#catalog/alert-channels.ts";
import type { AlertKind } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";
import { ALERT_SUBJECT_CHARS_MAX } from "#schema/limits/upkeep/alert-throttle.ts";
import { alertConfig } from "./alert-config.ts";
import { alertLines } from "./alert-lines.ts";
import { type AlertMessage } from "./alert-message.ts";
import type { ActionRequest } from "../actions/dispatch-actions.ts";

export function alertAction(
  { id, settings: { channel } }: StoredAlertChannel,
  message: AlertMessage,
  key: string | null,
): ActionRequest {
  const { kind, config } = channel;
  const written = alertConfig(kind, config, (name) => `{{ execution.variables.${name} }}`);
  return {
    // Priority 0 is the lowest, so the cell sends its other due runs first.
    action: { actionId: "alert", type: kind, config: written, priority: 0, retryPolicy: "reaction" },
    variables: alertVariables(kind, message),
    namespace: "alerts",
    correlationId: id,
    key,
    dedup: null,
  };
}

function alertVariables(kind: AlertKind, message: AlertMessage): JsonObject {
  const lines = alertLines(message);
  switch (kind) {
    case "email": {
      const html = `<h3>${escapedHtml(message.title)}</h3>\n<p>${lines.map(escapedHtml).join("<br>\n")}</p>\n`;
      return { subject: subjectLine(message.title), text: `${message.title}\n\n${lines.join("\n")}\n`, html };
    }
    case "slack":
      return { text: [`*${escapedSlack(message.title)}*`, ...lines.map(escapedSlack)].join("\n") };
    case "webhook":
      return { alert: message as unknown as JsonObject }; // AlertMessage contains plain JSON data only.
  }
}

function subjectLine(title: string): string {
  return title.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, ALERT_SUBJECT_CHARS_MAX);
}

function escapedHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Escapes Slack's three special characters: without angle brackets there are no links, mentions or <!channel>. */
function escapedSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
