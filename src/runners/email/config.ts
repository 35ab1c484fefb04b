// What a definition may say of an e-mail, for whichever provider sends it.
import { z } from "zod";
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { json, jsonObject } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import { mailbox, mailboxes, oneLine } from "../core/mailbox.ts";
import { fileSourceFields, fileSourceIssue } from "../http/file-source.ts";

const attachment = z
  .strictObject({
    ...fileSourceFields,
    /** Of what is fetched, default: what its server, its address or its key say. */
    filename: oneLine.min(1).max(255).optional(),
    type: oneLine.regex(/^[\w.+-]+\/[\w.+-]+(?:;.*)?$/, { message: "a media type such as application/pdf" }).optional(),
    /** Default: inline where there is a contentId. */
    disposition: z.enum(["attachment", "inline"]).optional(),
    /** What the html shows it by: <img src="cid:logo">. */
    contentId: z
      .string()
      .regex(/^[A-Za-z0-9._@-]{1,127}$/, { message: "at most 127 letters, digits and . _ - @" })
      .optional(),
  })
  .superRefine((file, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    const { content, filename, disposition, contentId } = file;
    const issue = fileSourceIssue(file);
    if (issue !== null) refuse(...issue);
    if (content !== undefined && filename === undefined) refuse("filename", "content needs a filename");
    if (disposition === "inline" && contentId === undefined)
      refuse("contentId", "an inline file needs one: the html shows it by it (cid:…)");
    if (disposition === "attachment" && contentId !== undefined)
      refuse("disposition", "what has a contentId is inline: leave one of the two out");
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
    replyTo: mailboxes.optional(),
    /** Goes before a template's own. */
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
    /** When the provider is to send it on; once that has passed, it is sent at once. */
    sendAt: z.iso.datetime({ offset: true }).optional(),
    /** Default: what the account says. */
    tracking: z.strictObject({ opens: z.boolean().optional(), clicks: z.boolean().optional() }).optional(),
  })
  .superRefine((config, context) => {
    const { subject, html, text, template, templateId, variables, headers } = config;
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    const hasWords = html !== undefined || text !== undefined;
    const ways = [hasWords, template !== undefined, templateId !== undefined].filter(Boolean).length;
    if (ways === 0 && subject !== undefined)
      refuse("subject", "subject goes with html or text, or both, or a template");
    else if (ways !== 1) refuse("subject", "exactly one of: subject with html or text; template; templateId");
    if (ways === 1 && hasWords && subject === undefined) refuse("subject", "subject goes with html or text, or both");
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

/** Ready to go along. */
export type Attachment = {
  readonly filename: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** null: an attachment like any other. */
  readonly contentId: string | null;
};

export type Mail = {
  readonly config: EmailConfig;
  readonly content: EmailContent;
  readonly attachments: readonly Attachment[];
  /** null: at once. */
  readonly sendAt: number | null;
};

export type Sent =
  | {
      readonly ok: true;
      readonly messageId: string | null;
      readonly sandbox: boolean;
      readonly bodyIncomplete?: BodyIncomplete;
    }
  | (Failure & { readonly ok: false });
