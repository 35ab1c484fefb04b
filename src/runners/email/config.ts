// What a definition may say of an e-mail, for whichever provider sends it.
import { z } from "zod";
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { json, jsonObject } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import { mailbox, mailboxes, oneLine } from "../core/mailbox.ts";

const attachment = z.strictObject({
  filename: oneLine.min(1).max(255),
  content: z.base64(),
  type: oneLine
    .regex(/^[\w.+-]+\/[\w.+-]+(?:;.*)?$/, { message: "a media type such as application/pdf" })
    .default("application/octet-stream"),
});
const headerName = z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, { message: "a header's name" });

/** They are written from the other fields; said twice, the two could differ. */
const OWN_HEADERS =
  /^(?:from|to|cc|bcc|reply-to|subject|content-type|content-transfer-encoding|received|dkim-signature|x-sg-e?id)$/i;

export const emailConfig = z
  .strictObject({
    provider: z.enum(["sendgrid", "resend", "cloudflare"]),
    /** The tenant's account by name; without it, its only one at the provider. */
    connection: z.string().min(1).optional(),
    /** Default: the connection's own sender. */
    from: mailbox.optional(),
    to: mailboxes,
    cc: mailboxes.optional(),
    bcc: mailboxes.optional(),
    replyTo: mailbox.optional(),
    subject: oneLine.min(1).max(998).optional(),
    html: z.string().min(1).optional(),
    text: z.string().min(1).optional(),
    /** A template stored here: "name" or "name@version". */
    template: z.string().min(1).optional(),
    /** A template the provider keeps. */
    templateId: z.string().min(1).optional(),
    variables: jsonObject.optional(),
    attachments: z.array(attachment).max(50).optional(),
    categories: z.array(oneLine.min(1).max(255)).max(10).optional(),
    customArgs: z.record(z.string(), json).optional(),
    headers: z.record(headerName, oneLine).optional(),
  })
  .superRefine((config, context) => {
    const { subject, html, text, template, templateId, variables, headers } = config;
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    const hasWords = subject !== undefined || html !== undefined || text !== undefined;
    const ways = [hasWords, template !== undefined, templateId !== undefined].filter(Boolean).length;
    if (ways !== 1) refuse("subject", "exactly one of: subject with html or text; template; templateId");
    if (hasWords && (subject === undefined || (html ?? text) === undefined))
      refuse("subject", "subject goes with html or text, or both");
    if (hasWords && variables !== undefined) refuse("variables", "variables are for template and templateId");
    for (const name of Object.keys(headers ?? {}).filter((name) => OWN_HEADERS.test(name))) {
      context.addIssue({
        code: "custom",
        path: ["headers", name],
        message: "this header is written from the other fields",
      });
    }
  });
export type EmailConfig = z.infer<typeof emailConfig>;

/** Words that are ready to go out, or the provider's template that will make them. */
export type EmailContent = {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
} | null;
export type Sent =
  | {
      readonly ok: true;
      readonly messageId: string | null;
      readonly sandbox: boolean;
      readonly bodyIncomplete?: BodyIncomplete;
    }
  | (Failure & { readonly ok: false });
