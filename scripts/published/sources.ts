// Extract sources: the provider repository, file and operation of each extract.
import type { Described } from "../../test/support/published-facts.ts";

export type Source = {
  readonly repository: string;
  /** The path of a file. For the models of a generated client: the folder of the models. */
  readonly path: string;
  readonly operation: string;
  readonly kind: "openapi" | "swagger-form" | "discovery" | "models";
  /** The body's media type, its path below `paths`, or the name of its schema. */
  readonly body: string;
  /** Set if the description is too large: only fields of the extract and required fields are recorded. */
  readonly isVast?: true;
};

export const sources: { readonly [extract: string]: Source } = {
  "docusign-envelope": {
    repository: "docusign/docusign-esign-node-client",
    path: "src/model",
    operation: "POST /v2.1/accounts/{accountId}/envelopes",
    kind: "models",
    body: "EnvelopeDefinition",
    isVast: true,
  },
  "docusign-recipient-view": {
    repository: "docusign/docusign-esign-node-client",
    path: "src/model",
    operation: "POST /v2.1/accounts/{accountId}/envelopes/{envelopeId}/views/recipient",
    kind: "models",
    body: "RecipientViewRequest",
  },
  "fcm-messages-send": {
    repository: "googleapis/google-api-go-client",
    path: "fcm/v1/fcm-api.json",
    operation: "POST /v1/{+parent}/messages:send",
    kind: "discovery",
    body: "SendMessageRequest",
  },
  "resend-emails": {
    repository: "resend/resend-openapi",
    path: "resend.json",
    operation: "POST /emails",
    kind: "openapi",
    body: "application/json",
  },
  "sendgrid-mail-send": {
    repository: "twilio/sendgrid-oai",
    path: "spec/json/tsg_mail_v3.json",
    operation: "POST /v3/mail/send",
    kind: "openapi",
    body: "application/json",
  },
  "slack-chat-post-message": {
    repository: "slackapi/slack-api-specs",
    path: "web-api/slack_web_openapi_v2.json",
    operation: "POST /chat.postMessage",
    kind: "swagger-form",
    body: "formData",
  },
  "twilio-messages": {
    repository: "twilio/twilio-oai",
    path: "spec/json/twilio_api_v2010.json",
    operation: "POST /2010-04-01/Accounts/{AccountSid}/Messages.json",
    kind: "openapi",
    body: "application/x-www-form-urlencoded",
  },
};

/** The body's description, and a function that resolves its references. */
export type Body = { readonly body: Described; readonly resolve: (ref: string) => Described };
