// Resend: sends an e-mail through Resend's API and classifies its errors. A part of the e-mail runner.
import { ANSWER_BYTES_MAX } from "#schema/limits/outgoing/responses.ts";
import { REFERENCE_FIELD } from "#schema/outgoing/run-reference.ts";
import { callbackReference } from "../core/callback-reference.ts";
import { endpointUrl, credential, openAccount, secretsIn, setting } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { hasFetchedFiles } from "./attachments.ts";
import type { Attachment, EmailConfig, Mail, SentEmail } from "./config.ts";
import { incompleteNote, send, type HttpRefusal } from "../http/call.ts";
import { jsonBody, type JsonWithFiles } from "../core/json-body.ts";
import { textAt } from "#schema/provider/json-pointer.ts";
import { parseMailbox, formatMailbox } from "../core/mailbox.ts";
import { meaningFrom, refineRefusal, type ErrorMeanings } from "../core/refine-refusal.ts";
import type { EmailMailbox, RunnerContext } from "../core/runner.ts";

export async function sendThroughResend(mail: Mail, context: RunnerContext): Promise<SentEmail> {
  const { config } = mail;
  const opened = await openAccount(context, config.connection, "resend", [["apiKey"]]);
  if (!opened.ok) return { ok: false, ...opened.failure };
  const { connection } = opened;
  const from = config.from ?? parseMailbox(setting(connection, "from"));
  if (from === null)
    return {
      ok: false,
      ...configurationFailure("from: is missing in the config and in the connection", "from_missing"),
    };
  const answer = await send(
    {
      method: "POST",
      url: endpointUrl(connection, "https://api.resend.com", "/emails"),
      headers: new Headers({
        Authorization: `Bearer ${credential(connection, "apiKey")}`,
        "Content-Type": "application/json",
        "Idempotency-Key": context.ticket.idempotencyKey,
      }),
      // Resend refuses a repeat of an idempotency key with another body, so the reference names no attempt.
      body: jsonBody(requestBodyOf(mail, from, callbackReference(connection, context, { isSameForAttempts: true }))),
      secrets: secretsIn(connection),
      answerBytesMax: ANSWER_BYTES_MAX,
    },
    context,
  );
  if (!answer.ok) return { ok: false, ...refusalFailure(answer, mail) };
  return { ok: true, messageId: textAt(answer.data, "/id"), sandbox: false, ...incompleteNote(answer) };
}

function requestBodyOf(
  { config, content, attachments, sendAt }: Mail,
  from: EmailMailbox,
  reference: string | null,
): JsonWithFiles {
  const { to, cc, bcc, replyTo = [], templateId, variables, customArgs, headers } = config;
  const subject = content?.subject ?? config.subject;
  const replyTexts = replyTo.map(formatMailbox);
  const args = { ...customArgs, ...(reference === null ? {} : { [REFERENCE_FIELD]: reference }) };
  const tags = Object.entries(args).map(([name, value]) => ({ name, value: String(value) }));
  return {
    from: formatMailbox(from),
    to: to.map(formatMailbox),
    ...(cc?.length ? { cc: cc.map(formatMailbox) } : {}),
    ...(bcc?.length ? { bcc: bcc.map(formatMailbox) } : {}),
    ...(replyTexts[0] === undefined ? {} : { reply_to: replyTexts.length > 1 ? replyTexts : replyTexts[0] }),
    ...(subject === undefined ? {} : { subject }),
    ...(content?.html ? { html: content.html } : {}),
    ...(content?.text ? { text: content.text } : {}),
    ...(templateId === undefined
      ? {}
      : { template: { id: templateId, ...(variables === undefined ? {} : { variables }) } }),
    ...(attachments.length > 0 ? { attachments: attachments.map(fileOf) } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(headers === undefined ? {} : { headers }),
    ...(sendAt === null ? {} : { scheduled_at: new Date(sendAt).toISOString() }),
  };
}

function fileOf({ filename, bytes, type, contentId }: Attachment): { readonly [name: string]: JsonWithFiles } {
  return { filename, content: bytes, content_type: type, ...(contentId === null ? {} : { content_id: contentId }) };
}

/** The meanings of Resend's error names. An unknown name has the meaning of the status. */
const MEANINGS: ErrorMeanings = {
  invalid_api_key: ["authentication_failed", false, "invalid_api_key"],
  restricted_api_key: ["authorization_failed", false, "restricted_api_key"],
  invalid_from_address: ["invalid_configuration", false, "invalid_address"],
  invalid_idempotent_request: ["malformed_request", false, "idempotency_conflict"],
  // The first request with this key is still in progress. A later retry returns the result of that request.
  concurrent_idempotent_requests: ["service_unavailable", true, "idempotency_in_progress"],
  daily_quota_exceeded: ["rate_limit", true, "daily_quota_exceeded"],
  monthly_quota_exceeded: ["rate_limit", false, "monthly_quota_exceeded"],
};

function refusalFailure(refusal: HttpRefusal, { config }: Mail): Failure {
  const data = refusal.answered?.data ?? null;
  const name = textAt(data, "/name");
  const meaning = { ...(name === null ? {} : meaningFrom(MEANINGS, name)), providerMessage: textAt(data, "/message") };
  const failure = refineRefusal(refusal, meaning);
  if (meaning.code !== "idempotency_conflict") return failure;
  const { error } = failure;
  return { ...failure, error: { ...error, message: `${error.message}; ${conflictCauses(config)}` } };
}

function conflictCauses(config: EmailConfig): string {
  const first =
    "Resend already has another message with this run's key from the last day: check at Resend whether that message was sent";
  const changes = [
    ...(hasFetchedFiles(config)
      ? ["each attempt fetches the attachments again, and an attachment may have changed"]
      : []),
    ...(config.sendAt === undefined ? [] : ["sendAt is now in the past"]),
  ];
  return [first, ...changes].join("; ");
}
