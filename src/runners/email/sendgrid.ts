// SendGrid: sends an e-mail through SendGrid's v3 API and classifies its errors. A part of the e-mail runner.
import type { JsonObject } from "#schema/json.ts";
import { REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import { callbackReference } from "../core/callback-reference.ts";
import { endpointUrl, credential, openAccount, secretsIn, setting } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { Attachment, EmailConfig, EmailContent, Mail, SentEmail } from "./config.ts";
import { incompleteNote, send, type HttpRefusal } from "../http/call.ts";
import { jsonBody, type JsonWithFiles } from "../core/json-body.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { parseMailbox } from "../core/mailbox.ts";
import { refineRefusal } from "../core/refine-refusal.ts";
import type { EmailMailbox, RunnerContext } from "../core/runner.ts";

export async function sendThroughSendGrid(mail: Mail, context: RunnerContext): Promise<SentEmail> {
  const { config } = mail;
  const opened = await openAccount(context, config.connection, "sendgrid", [["apiKey"]]);
  if (!opened.ok) return { ok: false, ...opened.failure };
  const { connection } = opened;
  const from = config.from ?? parseMailbox(setting(connection, "from"));
  if (from === null)
    return {
      ok: false,
      ...configurationFailure("from: is missing in the config and in the connection", "from_missing"),
    };
  const key = context.ticket.idempotencyKey;
  const answer = await send(
    {
      method: "POST",
      url: endpointUrl(connection, "https://api.sendgrid.com", "/v3/mail/send"),
      headers: new Headers({
        Authorization: `Bearer ${credential(connection, "apiKey")}`,
        "Content-Type": "application/json",
        // SendGrid ignores the header Idempotency-Key. All attempts have the same Message-ID, by which mail clients
        // merge repeated messages.
        "Idempotency-Key": key,
      }),
      body: jsonBody(
        requestBodyOf(mail, {
          from,
          key,
          sandbox: connection.sandbox,
          reference: callbackReference(connection, context),
        }),
      ),
      secrets: secretsIn(connection),
    },
    context,
  );
  if (!answer.ok) return { ok: false, ...refusalFailure(answer, context.now()) };
  return {
    ok: true,
    messageId: answer.headers["x-message-id"] ?? null,
    sandbox: connection.sandbox,
    ...incompleteNote(answer),
  };
}

type Sending = {
  readonly from: EmailMailbox;
  readonly key: string;
  readonly sandbox: boolean;
  /** The reference that callbacks return; null if the message gets none. */
  readonly reference: string | null;
};

function requestBodyOf(
  { config, content, attachments, sendAt }: Mail,
  { from, key, sandbox, reference }: Sending,
): JsonWithFiles {
  const { to, cc, bcc, templateId, variables, categories, customArgs, headers } = config;
  const domain = from.email.split("@")[1] ?? "";
  const textEntries = Object.entries(customArgs ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return {
    personalizations: [
      {
        to: to.map(person),
        // SendGrid refuses empty lists of recipients.
        ...(cc?.length ? { cc: cc.map(person) } : {}),
        ...(bcc?.length ? { bcc: bcc.map(person) } : {}),
        ...(templateId !== undefined && variables !== undefined ? { dynamic_template_data: variables } : {}),
        custom_args: {
          idempotency_key: key,
          ...Object.fromEntries(textEntries),
          ...(reference === null ? {} : { [REFERENCE_FIELD]: reference }),
        },
      },
    ],
    from: person(from),
    ...replyAddresses(config),
    ...(templateId === undefined ? {} : { template_id: templateId }),
    ...(content === null ? {} : { subject: content.subject, content: contentParts(content) }),
    ...(attachments.length > 0 ? { attachments: attachments.map(fileOf) } : {}),
    ...(categories?.length ? { categories: [...new Set(categories)] } : {}),
    headers: { "Message-ID": `<${key.replace(/[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]/g, "-")}@${domain}>`, ...headers },
    // send_at is in whole seconds, rounded up so that the message is never early.
    ...(sendAt === null ? {} : { send_at: Math.ceil(sendAt / 1000) }),
    ...trackingOf(config),
    ...(sandbox ? { mail_settings: { sandbox_mode: { enable: true } } } : {}),
  };
}

/** One reply address goes into reply_to, several into reply_to_list. SendGrid refuses both together. */
function replyAddresses({ replyTo = [] }: EmailConfig): JsonObject {
  const people = replyTo.map(person);
  return people.length > 1 ? { reply_to_list: people } : people[0] === undefined ? {} : { reply_to: people[0] };
}

function fileOf({ filename, bytes, type, contentId }: Attachment): { readonly [name: string]: JsonWithFiles } {
  const placement =
    contentId === null ? { disposition: "attachment" } : { disposition: "inline", content_id: contentId };
  return { filename, content: bytes, type, ...placement };
}

function trackingOf({ tracking: { opens, clicks } = {} }: EmailConfig): JsonObject {
  if (opens === undefined && clicks === undefined) return {};
  return {
    tracking_settings: {
      ...(opens === undefined ? {} : { open_tracking: { enable: opens } }),
      ...(clicks === undefined ? {} : { click_tracking: { enable: clicks, enable_text: clicks } }),
    },
  };
}

function person({ email, name }: EmailMailbox): JsonObject {
  return name === null ? { email } : { email, name };
}

/** Plain text comes first, because SendGrid refuses any other order. */
function contentParts({ text, html }: NonNullable<EmailContent>): JsonObject[] {
  return [
    ...(text === null ? [] : [{ type: "text/plain", value: text }]),
    ...(html === null ? [] : [{ type: "text/html", value: html }]),
  ];
}

const ADDRESS_FIELD = /^(?:from|reply_to|personalizations\.\d+\.(?:to|cc|bcc))\b.*email/;

/** Refines a refusal. SendGrid returns { errors: [{ message, field, help }] }; the first error names the cause. */
function refusalFailure(refusal: HttpRefusal, now: number): Failure {
  if (refusal.answered === null) return refusal;
  const { status, data, headers } = refusal.answered;
  const providerMessage = textAt(data, "/errors/0/message");
  const field = textAt(data, "/errors/0/field");
  const errorText =
    providerMessage === null || field === null || field === "null" ? providerMessage : `${field}: ${providerMessage}`;
  if (status === 400 && field !== null && ADDRESS_FIELD.test(field)) {
    return refineRefusal(refusal, {
      providerMessage: errorText,
      type: "invalid_configuration",
      code: "invalid_address",
    });
  }
  if (status === 403 && /verified sender identity/i.test(providerMessage ?? ""))
    return refineRefusal(refusal, { providerMessage: errorText, code: "sender_not_verified" });
  // SendGrid sends no Retry-After. The header x-ratelimit-reset contains the end of the limit, in seconds since 1970.
  const resetAt = status === 429 ? Number(headers["x-ratelimit-reset"] ?? Number.NaN) * 1000 : Number.NaN;
  return refineRefusal(refusal, {
    providerMessage: errorText,
    retryAfterMs: Number.isFinite(resetAt) ? Math.max(0, resetAt - now) : null,
  });
}
