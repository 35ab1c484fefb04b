// Holds what runners send against extracts of what the providers publish of their APIs (test/runners/published).
import { expect } from "vitest";
import { z } from "zod";
import docusignEnvelope from "./published/docusign-envelope.json";
import resendEmails from "./published/resend-emails.json";
import sendgridMailSend from "./published/sendgrid-mail-send.json";
import slackChatPostMessage from "./published/slack-chat-post-message.json";
import twilioMessages from "./published/twilio-messages.json";

const published = {
  "docusign-envelope": docusignEnvelope,
  "resend-emails": resendEmails,
  "sendgrid-mail-send": sendgridMailSend,
  "slack-chat-post-message": slackChatPostMessage,
  "twilio-messages": twilioMessages,
};

export function expectPublished(name: keyof typeof published, sent: unknown): void {
  // The files are JSON Schema; that their keywords are the right ones is for zod to say when it reads them.
  const schema = z.fromJSONSchema(published[name] as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse(sent).error?.issues).toBeUndefined();
}

export async function sentJson(request: Request | undefined): Promise<unknown> {
  return request?.clone().json();
}

export async function sentForm(request: Request | undefined): Promise<{ [field: string]: string }> {
  return Object.fromEntries(new URLSearchParams(await request?.clone().text()));
}
