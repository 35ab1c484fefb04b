// Sends an e-mail through the tenant's provider: with words of its own, from a stored template, or from one that the
// provider keeps. What the message is is decided here; how a provider wants it said is in the provider's own file.
import { attemptMs } from "#schema/defaults.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { sendThroughCloudflare } from "./cloudflare.ts";
import { emailConfig, type EmailConfig, type EmailContent, type Sent } from "./config.ts";
import { oneLine } from "../core/mailbox.ts";
import { failed, succeeded } from "../core/outcomes.ts";
import { sendThroughResend } from "./resend.ts";
import type { EmailMailbox, RunnerContext, Runner } from "../core/runner.ts";
import { sendThroughSendGrid } from "./sendgrid.ts";

const providers: {
  readonly [name in EmailConfig["provider"]]: {
    readonly send: (config: EmailConfig, content: EmailContent, context: RunnerContext) => Promise<Sent>;
    /** To, cc and bcc together. */
    readonly recipientsMax: number;
  };
} = {
  sendgrid: { send: sendThroughSendGrid, recipientsMax: 1_000 },
  resend: { send: sendThroughResend, recipientsMax: 50 },
  cloudflare: { send: sendThroughCloudflare, recipientsMax: 50 },
};

/** Resend forgets a key after a day. */
const RESEND_WINDOW_MS = 24 * 60 * 60_000;

export const email: Runner<EmailConfig> = {
  type: "email",
  config: emailConfig,
  permissions: ["email:send"],
  repeats: { mode: "none" },
  repeatsOf: ({ provider }) =>
    provider === "resend" ? { mode: "provider", windowMs: RESEND_WINDOW_MS } : { mode: "none" },
  timeoutMs: attemptMs.service,
  retryPolicy: "email",
  run: async (written, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { provider, template = null, templateId = null } = written;
    const config = { ...written, ...onceEach(written) };
    const metadata = { provider, template: template ?? templateId };
    const content = await contentOf(config, context);
    if (!content.ok) return failed(content, span(), metadata);
    const { send, recipientsMax } = providers[provider];
    const count = config.to.length + (config.cc?.length ?? 0) + (config.bcc?.length ?? 0);
    if (count > recipientsMax) {
      const message = `to: ${count} recipients; ${provider} takes ${recipientsMax} in one message`;
      return failed(configurationFailure(message, "too_many_recipients"), span(), metadata);
    }
    const sent = await send(config, content.content, context);
    if (!sent.ok) return failed(sent, span(), metadata);
    const recipients = config.to.map(({ email }) => email);
    const { messageId, sandbox, bodyIncomplete } = sent;
    const payload = {
      messageId,
      recipients,
      template: template ?? templateId,
      actionId: context.ticket.action,
      provider,
    };
    const result = { messageId, recipients, provider, ...(bodyIncomplete === undefined ? {} : { bodyIncomplete }) };
    return succeeded({ result, events: [{ type: "email_sent", payload }] }, span(), { ...metadata, sandbox });
  },
};

type Content = { readonly ok: true; readonly content: EmailContent } | (Failure & { readonly ok: false });

async function contentOf(config: EmailConfig, context: RunnerContext): Promise<Content> {
  const { subject, html = null, text = null, template, variables = {} } = config;
  if (subject !== undefined) return { ok: true, content: { subject, html, text } };
  if (template === undefined) return { ok: true, content: null };
  const stored = await context.template(template, variables);
  if (!stored.ok) return { ok: false, ...stored.failure };
  const { rendered } = stored;
  if (rendered.subject === null || !oneLine.min(1).safeParse(rendered.subject).success) {
    const message = `template: ${template} gives no subject of one line`;
    return { ok: false, ...configurationFailure(message, "template_without_subject") };
  }
  if (rendered.html !== null || rendered.text !== null)
    return { ok: true, content: { ...rendered, subject: rendered.subject } };
  return { ok: false, ...configurationFailure(`template: ${template} has neither html nor text`, "template_empty") };
}

/** Who stands in two lists gets one copy, by the first: providers refuse a message that names somebody twice. */
function onceEach({ to, cc, bcc }: EmailConfig): Pick<EmailConfig, "to" | "cc" | "bcc"> {
  const seen = new Set<string>();
  const unseen = (list: readonly EmailMailbox[] | undefined) =>
    list?.filter(({ email }) => !seen.has(email.toLowerCase()) && seen.add(email.toLowerCase()));
  return { to: unseen(to) ?? [], cc: unseen(cc), bcc: unseen(bcc) };
}
