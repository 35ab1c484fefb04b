// Provider extracts: validate requests against the providers' published schemas (test/runners/published).
import { expect } from "vitest";
import { z } from "zod";
import docusignEnvelope from "./published/docusign-envelope.json";
import docusignRecipientView from "./published/docusign-recipient-view.json";
import fcmMessagesSend from "./published/fcm-messages-send.json";
import resendEmails from "./published/resend-emails.json";
import sendgridMailSend from "./published/sendgrid-mail-send.json";
import slackChatPostMessage from "./published/slack-chat-post-message.json";
import twilioMessages from "./published/twilio-messages.json";

const published = {
  "docusign-envelope": docusignEnvelope,
  "docusign-recipient-view": docusignRecipientView,
  "fcm-messages-send": fcmMessagesSend,
  "resend-emails": resendEmails,
  "sendgrid-mail-send": sendgridMailSend,
  "slack-chat-post-message": slackChatPostMessage,
  "twilio-messages": twilioMessages,
};

export function expectPublished(name: keyof typeof published, sent: unknown): void {
  // the files are JSON Schema; zod checks the keywords when it reads them
  const schema = z.fromJSONSchema(published[name] as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse(sent).error?.issues).toBeUndefined();
}

export async function sentJson(request: Request | undefined): Promise<unknown> {
  return request?.clone().json();
}

/** Parses a form with the extract's types, because forms contain only texts and repeat a name for a list. */
export async function sentForm(request: Request | undefined): Promise<{ [field: string]: unknown }> {
  const form = new URLSearchParams(await request?.clone().text());
  return Object.fromEntries([...new Set(form.keys())].map((name) => [name, typed(name, form.getAll(name))]));
}

function typed(name: string, texts: readonly string[]): unknown {
  const fields: { readonly [field: string]: { readonly type?: string } } = twilioMessages.properties;
  const [text = ""] = texts;
  switch (fields[name]?.type) {
    case "array":
      return texts;
    case "integer":
      return /^\d+$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    default:
      return texts.length === 1 ? text : texts;
  }
}
