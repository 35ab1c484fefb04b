// How Resend wants a message, and what its errors mean. A part of the e-mail runner.
import type { Json, JsonObject } from "#schema/json.ts";
import { ANSWER_BYTES_MAX } from "#schema/limits/runners.ts";
import { addressAt, credential, openAccount, secretsIn, setting } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { EmailConfig, EmailContent, Sent } from "./config.ts";
import { bodyTrouble, send, type HttpRefusal } from "../http/call.ts";
import { textAt } from "../core/json-pointer.ts";
import { parseMailbox, spelled } from "../core/mailbox.ts";
import { meaningIn, refined, type ErrorMeanings } from "../core/refine.ts";
import type { EmailMailbox, RunnerContext } from "../core/runner.ts";

export async function sendThroughResend(
  config: EmailConfig,
  content: EmailContent,
  context: RunnerContext,
): Promise<Sent> {
  const refusal = unsupported(config);
  if (refusal !== null) return { ok: false, ...configurationFailure(refusal, "field_not_supported") };
  const opened = await openAccount(context, config.connection, "resend", [["apiKey"]]);
  if (!opened.ok) return { ok: false, ...opened.failure };
  const { connection } = opened;
  const from = config.from ?? parseMailbox(setting(connection, "from"));
  if (from === null)
    return {
      ok: false,
      ...configurationFailure("from: neither the config nor the connection has one", "from_missing"),
    };
  const answer = await send(
    {
      method: "POST",
      url: addressAt(connection, "https://api.resend.com", "/emails"),
      headers: new Headers({
        Authorization: `Bearer ${credential(connection, "apiKey")}`,
        "Content-Type": "application/json",
        "Idempotency-Key": context.ticket.idempotencyKey,
      }),
      body: JSON.stringify(mailOf({ ...config, from }, content)),
      secrets: secretsIn(connection),
      answerBytesMax: ANSWER_BYTES_MAX,
    },
    context,
  );
  if (!answer.ok) return { ok: false, ...understood(answer) };
  return { ok: true, messageId: textAt(answer.data, "/id"), sandbox: false, ...bodyTrouble(answer) };
}

function mailOf(config: EmailConfig & { readonly from: EmailMailbox }, content: EmailContent): JsonObject {
  const { from, to, cc, bcc, replyTo, templateId, variables, attachments, customArgs, headers } = config;
  const tags = Object.entries(customArgs ?? {}).map(([name, value]) => ({ name, value: String(value) }));
  return {
    from: spelled(from),
    to: to.map(spelled),
    ...(cc?.length ? { cc: cc.map(spelled) } : {}),
    ...(bcc?.length ? { bcc: bcc.map(spelled) } : {}),
    ...(replyTo === undefined ? {} : { reply_to: spelled(replyTo) }),
    ...(content === null ? {} : { subject: content.subject }),
    ...(content?.html ? { html: content.html } : {}),
    ...(content?.text ? { text: content.text } : {}),
    ...(templateId === undefined
      ? {}
      : { template: { id: templateId, ...(variables === undefined ? {} : { variables }) } }),
    ...(attachments?.length
      ? { attachments: attachments.map(({ filename, content, type }) => ({ filename, content, content_type: type })) }
      : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** What Resend has no place for is refused rather than left out. */
function unsupported({ categories, customArgs, templateId, variables }: EmailConfig): string | null {
  if (categories?.length) return "categories: Resend has none; use customArgs, which become its tags";
  const isWord = (value: Json) =>
    /^[A-Za-z0-9_-]{1,256}$/.test(String(value)) && (value === null || typeof value !== "object");
  const odd = Object.entries(customArgs ?? {}).find(([name, value]) => !isWord(name) || !isWord(value));
  if (odd !== undefined) return `customArgs.${odd[0]}: Resend's tags are letters, digits, _ and - only`;
  const deep = Object.entries(templateId === undefined ? {} : (variables ?? {})).find(
    ([, value]) => typeof value !== "string" && typeof value !== "number",
  );
  return deep === undefined ? null : `variables.${deep[0]}: Resend's templates take texts and numbers only`;
}

/** By the error's `name`; the status says the rest. */
const MEANINGS: ErrorMeanings = {
  invalid_api_key: ["authentication_failed", false, "invalid_api_key"],
  restricted_api_key: ["authorization_failed", false, "restricted_api_key"],
  invalid_from_address: ["invalid_configuration", false, "invalid_address"],
  invalid_idempotent_request: ["malformed_request", false, "idempotency_conflict"],
  // The first sending of this key is still on its way: ask again, and learn how it went.
  concurrent_idempotent_requests: ["service_unavailable", true, "idempotency_in_progress"],
  daily_quota_exceeded: ["rate_limit", true, "daily_quota_exceeded"],
  monthly_quota_exceeded: ["rate_limit", false, "monthly_quota_exceeded"],
};

function understood(refusal: HttpRefusal): Failure {
  const data = refusal.answered?.data ?? null;
  const name = textAt(data, "/name");
  return refined(refusal, { ...(name === null ? {} : meaningIn(MEANINGS, name)), said: textAt(data, "/message") });
}
