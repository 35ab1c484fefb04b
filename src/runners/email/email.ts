// E-mail runner: sends an e-mail through the tenant's provider, with its own content, a stored template, or a template
// at the provider. The provider's file converts the message to the provider's format.
import { attemptMs } from "#schema/defaults.ts";
import type { JsonObject } from "#schema/json.ts";
import { MAIL_PROVIDER } from "#schema/provider/providers.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { withAttachments } from "./attachments.ts";
import { sendThroughCloudflare } from "./cloudflare.ts";
import {
  emailConfig,
  type EmailConfig,
  type EmailContent,
  type Mail,
  type SentEmail,
  type WrittenEmail,
} from "./config.ts";
import { oneLine } from "../core/mailbox.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import { sendThroughResend } from "./resend.ts";
import type { EmailMailbox, RunnerContext, Runner } from "../core/runner.ts";
import { sendAtOf } from "./send-at.ts";
import { sendThroughSendGrid } from "./sendgrid.ts";
import { insertUnsubscribeLink, type LinkedEmail } from "./unsubscribe.ts";
import { emailDraft, unsupportedFields } from "./unsupported.ts";

const providers: {
  readonly [name in EmailConfig["provider"]]: {
    readonly send: (mail: Mail, context: RunnerContext) => Promise<SentEmail>;
    /** The maximum number of recipients in to, cc and bcc together. */
    readonly recipientsMax: number;
  };
} = {
  sendgrid: { send: sendThroughSendGrid, recipientsMax: 1_000 },
  resend: { send: sendThroughResend, recipientsMax: 50 },
  cloudflare: { send: sendThroughCloudflare, recipientsMax: 50 },
};

/** Resend keeps an idempotency key for a day. */
const RESEND_WINDOW_MS = 24 * 60 * 60_000;

export const email: Runner<WrittenEmail> = {
  type: "email",
  config: emailConfig,
  calls: ["/attachments/*/url"],
  draft: emailDraft,
  permissions: ["email:send"],
  repeats: { mode: "none" },
  repeatsOf: ({ provider }) =>
    provider === "resend" ? { mode: "provider", windowMs: RESEND_WINDOW_MS } : { mode: "none" },
  recipients: {
    of: ({ to, cc = [], bcc = [], heedSuppressions = true }) => {
      const addresses = [...new Set([...to, ...cc, ...bcc].map(({ email: address }) => address))];
      return { channel: "email", addresses, isHeeding: heedSuppressions };
    },
    // Providers need a recipient in `to`, so a message without one is skipped even if copies are left.
    without: (config, suppressed) => {
      const keep = (list: readonly EmailMailbox[] = []) => list.filter((each) => !suppressed.has(each.email));
      const to = keep(config.to);
      return to.length === 0 ? null : { ...config, to, cc: keep(config.cc), bcc: keep(config.bcc) };
    },
  },
  timeoutMs: attemptMs.service,
  retryPolicy: "email",
  run: async (rawConfig, context) => {
    const startedAt = context.now();
    const span = () => ({ startedAt, endedAt: context.now() });
    const { template = null, templateId = null } = rawConfig;
    const used = { template: template ?? templateId, templateUsed: template ?? templateId };
    const account = await accountOf(rawConfig, context);
    if (!account.ok) return failureOutcome(account.failure, span(), used);
    const { provider } = account;
    const metadata = { provider, ...used };
    const written = { ...rawConfig, ...account.fields, provider, ...withoutDuplicates(rawConfig) };
    const ready = await readyToSend(written, context);
    if (!ready.ok) return failureOutcome(ready, span(), metadata);
    const { config, content, sendAt } = ready;
    // Attachments are loaded before the provider's connection is opened, so that downloads do not occupy the
    // connection's slots.
    const sent = await withAttachments(config, context, (attachments) =>
      providers[provider].send({ config, content, attachments, sendAt }, context),
    );
    if (!sent.ok) return failureOutcome(sent, span(), metadata);
    const recipients = config.to.map(({ email }) => email);
    const { messageId, sandbox, bodyIncomplete } = sent;
    const payload = {
      messageId,
      recipients,
      template: template ?? templateId,
      actionId: context.ticket.action,
      provider,
    };
    const scheduled: JsonObject = sendAt === null ? {} : { sendAt: new Date(sendAt).toISOString() };
    const note: JsonObject = bodyIncomplete === undefined ? {} : { bodyIncomplete };
    const result = { messageId, recipients, provider, ...scheduled, ...note };
    return successOutcome({ result, events: [{ type: "email_sent", payload }] }, span(), {
      ...metadata,
      sandbox,
      ...scheduled,
    });
  },
};

type MailAccount =
  | {
      readonly ok: true;
      readonly provider: EmailConfig["provider"];
      /** The connection that determined the provider. Empty if the config names the provider. */
      readonly fields: Pick<EmailConfig, "connection">;
    }
  | { readonly ok: false; readonly failure: Failure };

/** Returns the provider that the config names. If it names none, returns that of the connection. */
async function accountOf({ provider, connection }: WrittenEmail, context: RunnerContext): Promise<MailAccount> {
  if (provider !== undefined) return { ok: true, provider, fields: {} };
  const found = await context.findAccount(connection ?? null, MAIL_PROVIDER);
  if (!found.ok) return found;
  const { account } = found;
  return {
    ok: true,
    provider: account.provider === "resend" ? "resend" : "sendgrid",
    fields: { connection: account.name },
  };
}

type Refused = Failure & { readonly ok: false };
type ReadyEmail = ({ readonly ok: true; readonly sendAt: number | null } & LinkedEmail) | Refused;

/**
 * Runs all checks that need no outbound call. They come first, so that no file is fetched for a message that cannot be
 * sent.
 */
async function readyToSend(config: EmailConfig, context: RunnerContext): Promise<ReadyEmail> {
  const { provider } = config;
  const [path, reason] = unsupportedFields(config)[0] ?? [];
  if (path !== undefined)
    return { ok: false, ...configurationFailure(`${path.join(".")}: ${reason}`, "field_not_supported") };
  const { recipientsMax } = providers[provider];
  const count = config.to.length + (config.cc?.length ?? 0) + (config.bcc?.length ?? 0);
  if (count > recipientsMax) {
    const message = `to: has ${count} recipients; the limit of ${provider} is ${recipientsMax} per message`;
    return { ok: false, ...configurationFailure(message, "too_many_recipients") };
  }
  if (provider === "cloudflare" && context.email === undefined)
    return {
      ok: false,
      ...configurationFailure("provider: no e-mail binding is configured for this Worker", "email_not_bound"),
    };
  const schedule = sendAtOf(config, context.now());
  if (!schedule.ok) return schedule;
  const content = await contentOf(config, context);
  if (!content.ok) return content;
  const linked = await insertUnsubscribeLink({ config, content: content.content }, context);
  return linked.ok ? { ...linked, sendAt: schedule.sendAt } : linked;
}

type Content = { readonly ok: true; readonly content: EmailContent } | Refused;

async function contentOf(config: EmailConfig, context: RunnerContext): Promise<Content> {
  const { subject, html = null, text = null, template, templateId, variables = {} } = config;
  if (templateId !== undefined) return { ok: true, content: null };
  if (template === undefined) return { ok: true, content: { subject: subject ?? "", html, text } };
  const stored = await context.template(template, variables);
  if (!stored.ok) return { ok: false, ...stored.failure };
  const { rendered } = stored;
  const subjectLine = subject ?? rendered.subject;
  if (subjectLine === null || !oneLine.min(1).safeParse(subjectLine).success) {
    const message = `template: ${template} must have a subject of one line`;
    return { ok: false, ...configurationFailure(message, "template_without_subject") };
  }
  if (rendered.html !== null || rendered.text !== null)
    return { ok: true, content: { ...rendered, subject: subjectLine } };
  return { ok: false, ...configurationFailure(`template: ${template} has no html or text`, "template_empty") };
}

/** Removes recipients that are listed twice, keeping the first, because providers refuse duplicates. */
function withoutDuplicates({ to, cc, bcc, replyTo }: WrittenEmail): Pick<EmailConfig, "to" | "cc" | "bcc" | "replyTo"> {
  const seen = new Set<string>();
  const unseen = (list: readonly EmailMailbox[] | undefined) => removeDuplicates(list, seen);
  return { to: unseen(to) ?? [], cc: unseen(cc), bcc: unseen(bcc), replyTo: removeDuplicates(replyTo, new Set()) };
}

function removeDuplicates(
  list: readonly EmailMailbox[] | undefined,
  seen: Set<string>,
): readonly EmailMailbox[] | undefined {
  return list?.filter(({ email }) => !seen.has(email.toLowerCase()) && seen.add(email.toLowerCase()));
}
