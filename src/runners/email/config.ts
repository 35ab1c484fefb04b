// E-mail config: the schema of an e-mail, and the types that all e-mail providers share.
import { z } from "zod";
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { json, jsonObject } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import { mailbox, mailboxes, oneLine } from "../core/mailbox.ts";
import { fileSourceFields, fileSourceIssue } from "../http/file-source.ts";

const attachment = z
  .strictObject({
    ...fileSourceFields,
    /** The file's name, required with `content`. Default for a fetched file: the name in its header, URL or key. */
    filename: oneLine.min(1).max(255).optional(),
    type: oneLine
      .regex(/^[\w.+-]+\/[\w.+-]+(?:;.*)?$/, { message: "must be a media type such as application/pdf" })
      .optional(),
    /** Default: inline if the file has a contentId, otherwise attachment. */
    disposition: z.enum(["attachment", "inline"]).optional(),
    /** The id by which the HTML references the file: <img src="cid:logo">. */
    contentId: z
      .string()
      .regex(/^[A-Za-z0-9._@-]{1,127}$/, { message: "must be at most 127 letters, digits and . _ - @" })
      .optional(),
  })
  .superRefine((file, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    const { content, filename, disposition, contentId } = file;
    const issue = fileSourceIssue(file);
    if (issue !== null) refuse(...issue);
    if (content !== undefined && filename === undefined)
      refuse("filename", 'is missing: a file with "content" needs a filename');
    if (disposition === "inline" && contentId === undefined)
      refuse("contentId", "is missing: an inline file needs a contentId, by which the html refers to the file (cid:…)");
    if (disposition === "attachment" && contentId !== undefined)
      refuse("disposition", "contradicts contentId: a file with a contentId is inline");
  });
const headerName = z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, { message: "must be the name of an HTTP header" });

/**
 * The headers that are derived from the config's fields or set by mail servers. A second value in `headers` could
 * contradict them.
 */
const OWN_HEADERS =
  /^(?:from|to|cc|bcc|reply-to|subject|content-type|content-transfer-encoding|received|dkim-signature|x-sg-e?id)$/i;

export const emailConfig = z
  .strictObject({
    /** Default: the provider of the connection. */
    provider: z.enum(["sendgrid", "resend", "cloudflare"]).optional(),
    /** The name of a connection. Default: the tenant's only connection for the provider, or for e-mail. */
    connection: z.string().min(1).optional(),
    /** The sender. Default: the connection's sender. */
    from: mailbox.optional(),
    to: mailboxes.optional(),
    /** An alternative name of the field `to`. */
    recipient: mailboxes.optional(),
    cc: mailboxes.optional(),
    bcc: mailboxes.optional(),
    replyTo: mailboxes.optional(),
    /** The subject. It overrides a template's subject. */
    subject: oneLine.min(1).max(998).optional(),
    html: z.string().min(1).optional(),
    text: z.string().min(1).optional(),
    /** A template stored in the engine: "name" or "name@version". */
    template: z.string().min(1).optional(),
    /** The id of a template stored at the provider. */
    templateId: z.string().min(1).optional(),
    variables: jsonObject.optional(),
    attachments: z.array(attachment).max(50).optional(),
    categories: z.array(oneLine.min(1).max(255)).max(10).optional(),
    customArgs: z.record(z.string(), json).optional(),
    headers: z.record(headerName, oneLine).optional(),
    /** When the provider sends the message. If the time has passed, the provider sends it immediately. */
    sendAt: z.iso.datetime({ offset: true }).optional(),
    /** Whether opens and clicks are tracked. Default: the provider account's setting. */
    tracking: z.strictObject({ opens: z.boolean().optional(), clicks: z.boolean().optional() }).optional(),
    /** False: also send to addresses that have unsubscribed or were suppressed manually. Default: true. */
    heedSuppressions: z.boolean().optional(),
  })
  .superRefine((config, context) => {
    const { to, recipient, subject, html, text, template, templateId, variables, headers } = config;
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (to === undefined && recipient === undefined) refuse("to", "is missing: set the address of the recipient");
    if (to !== undefined && recipient !== undefined)
      refuse("recipient", "has the same meaning as to: set only one of the two fields");
    const hasWords = html !== undefined || text !== undefined;
    const ways = [hasWords, template !== undefined, templateId !== undefined].filter(Boolean).length;
    if (ways === 0 && subject !== undefined) refuse("subject", "subject requires html, text or a template");
    else if (ways !== 1)
      refuse("subject", 'exactly one of these must be set: "subject" with "html" or "text"; "template"; "templateId"');
    if (ways === 1 && hasWords && subject === undefined) refuse("subject", "subject requires html or text, or both");
    if (hasWords && variables !== undefined)
      refuse("variables", "are only allowed together with template or templateId");
    for (const name of Object.keys(headers ?? {}).filter((name) => OWN_HEADERS.test(name))) {
      context.addIssue({
        code: "custom",
        path: ["headers", name],
        message: "must be absent: the engine sets this header from other fields",
      });
    }
  })
  .transform(({ to, recipient, ...config }) => ({ ...config, to: to ?? recipient ?? [] }));
export type WrittenEmail = z.infer<typeof emailConfig>;
/** A config whose provider is known. */
export type EmailConfig = WrittenEmail & { readonly provider: NonNullable<WrittenEmail["provider"]> };

/** The rendered subject and text; null if a template at the provider renders them. */
export type EmailContent = {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
} | null;

/** A loaded attachment. */
export type Attachment = {
  readonly filename: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /**
   * The id by which the HTML references the file; null: the HTML does not reference the file, which is an attachment
   * only.
   */
  readonly contentId: string | null;
};

export type Mail = {
  readonly config: EmailConfig;
  readonly content: EmailContent;
  readonly attachments: readonly Attachment[];
  /** When the provider sends the message, in milliseconds since 1970; null: immediately. */
  readonly sendAt: number | null;
};

export type SentEmail =
  | {
      readonly ok: true;
      readonly messageId: string | null;
      readonly sandbox: boolean;
      readonly bodyIncomplete?: BodyIncomplete;
    }
  | (Failure & { readonly ok: false });
