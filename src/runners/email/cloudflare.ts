// Cloudflare e-mail: sends through the platform's e-mail binding and classifies its errors. A part of the e-mail
// runner.
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { EmailContent, Mail, SentEmail } from "./config.ts";
import { meaningFrom, refineRefusal, type ErrorMeanings } from "../core/refine-refusal.ts";
import type { EmailMessage, RunnerContext } from "../core/runner.ts";

export async function sendThroughCloudflare(mail: Mail, context: RunnerContext): Promise<SentEmail> {
  const { config, content } = mail;
  const { from } = config;
  const refuse = (message: string, code: string): SentEmail => ({ ok: false, ...configurationFailure(message, code) });
  if (context.email === undefined)
    return refuse("provider: no e-mail binding is configured for this Worker", "email_not_bound");
  if (content === null)
    return refuse("templateId: Cloudflare stores no templates; use template", "field_not_supported");
  if (from === undefined) return refuse("from: the e-mail binding has no default sender", "from_missing");
  try {
    const sent = await context.email.send(messageOf(mail, { from, content, key: context.ticket.idempotencyKey }));
    return { ok: true, messageId: sent.messageId, sandbox: false };
  } catch (error) {
    return { ok: false, ...bindingFailure(error) };
  }
}

type Sending = {
  readonly from: EmailMessage["from"];
  readonly content: NonNullable<EmailContent>;
  readonly key: string;
};

function messageOf({ config, attachments }: Mail, { from, content, key }: Sending): EmailMessage {
  const { to, cc, bcc, replyTo: [replyTo] = [], headers } = config;
  const { subject, html, text } = content;
  return {
    from,
    to,
    ...(cc?.length ? { cc } : {}),
    ...(bcc?.length ? { bcc } : {}),
    ...(replyTo === undefined ? {} : { replyTo }),
    subject,
    ...(html === null ? {} : { html }),
    ...(text === null ? {} : { text }),
    ...(attachments.length > 0
      ? { attachments: attachments.map(({ bytes, ...file }) => ({ ...file, content: bytes })) }
      : {}),
    // The binding writes the Message-ID header itself. Of the additional headers, it allows those that begin with X-, and
    // some others such as List-Unsubscribe.
    headers: { "X-Idempotency-Key": key, ...headers },
  };
}

const MEANINGS: ErrorMeanings = {
  E_SENDER_NOT_VERIFIED: ["authorization_failed", false, "sender_not_verified"],
  E_SENDER_DOMAIN_NOT_AVAILABLE: ["authorization_failed", false, "sender_not_verified"],
  E_RECIPIENT_NOT_ALLOWED: ["authorization_failed", false, "recipient_not_allowed"],
  E_RECIPIENT_SUPPRESSED: ["recipient_unsubscribed", false, "recipient_suppressed"],
  E_VALIDATION_ERROR: ["malformed_request", false, "validation_error"],
  E_FIELD_MISSING: ["malformed_request", false, "field_missing"],
  E_TOO_MANY_RECIPIENTS: ["malformed_request", false, "too_many_recipients"],
  E_TOO_MANY_ATTACHMENTS: ["malformed_request", false, "too_many_attachments"],
  E_CONTENT_TOO_LARGE: ["malformed_request", false, "content_too_large"],
  E_RATE_LIMIT_EXCEEDED: ["rate_limit", true, "rate_limit_exceeded"],
  E_DAILY_LIMIT_EXCEEDED: ["rate_limit", true, "daily_limit_exceeded"],
  E_DELIVERY_FAILED: ["service_unavailable", true, "delivery_failed"],
  E_INTERNAL_SERVER_ERROR: ["service_unavailable", true, "internal_server_error"],
};

function bindingFailure(error: unknown): Failure {
  const code = error !== null && typeof error === "object" && "code" in error ? String(error.code) : "";
  const providerMessage = error instanceof Error ? error.message : String(error);
  const meaning = code.startsWith("E_HEADER")
    ? ({ type: "invalid_configuration", retryable: false, code: "header_refused" } as const)
    : meaningFrom(MEANINGS, code);
  const unknownError = { type: "unknown_error", message: "the e-mail binding refused the message", retryable: true };
  // An error whose code does not begin with E_ means that the call was lost, so its effect is unknown.
  const effect = code.startsWith("E_") ? {} : ({ effect: "unknown" } as const);
  return refineRefusal({ error: unknownError }, { ...meaning, ...effect, providerMessage });
}
