// Unsupported e-mail fields: refuses the fields that a provider would ignore, with a hint. Drafts are checked, and each
// message is checked again before it is sent.
import { z } from "zod";

/** A complete config, or a draft in which templates replace values. */
type Fields = { readonly [name in string]?: unknown };
export type Unsupported = readonly [path: readonly (string | number)[], reason: string];

const providers: { readonly [provider: string]: (config: Fields) => Unsupported[] } = { sendgrid, resend, cloudflare };

/** Lists the fields that the config's provider does not support. Empty if the provider is unknown or is a template. */
export function unsupportedFields(config: Fields): readonly Unsupported[] {
  const provider = String(config["provider"]);
  return Object.hasOwn(providers, provider) ? (providers[provider]?.(config) ?? []) : [];
}

function sendgrid({ templateId, subject }: Fields): Unsupported[] {
  if (templateId === undefined || subject === undefined) return [];
  return [
    [["subject"], "SendGrid's templates contain the subject: write {{{subject}}} there, and add it to the variables"],
  ];
}

function resend({ categories, customArgs, templateId, variables, tracking }: Fields): Unsupported[] {
  const badTag = entries(customArgs).find(([name, value]) => !isTagWord(name) || !isTagWord(value));
  const badVariable = entries(templateId === undefined ? {} : variables).find(
    ([, value]) => typeof value !== "string" && typeof value !== "number",
  );
  return [
    ...refusal(
      hasValue(categories),
      "categories",
      "Resend does not support this field. Use customArgs, which become tags.",
    ),
    ...refusal(
      hasValue(tracking),
      "tracking",
      "Resend configures tracking per domain. Set it for the sender's domain at Resend.",
    ),
    ...(badTag === undefined
      ? []
      : [[["customArgs", badTag[0]], "Resend's tags may only contain letters, digits, _ and -"] as const]),
    ...(badVariable === undefined
      ? []
      : [[["variables", badVariable[0]], "Resend's templates only accept texts and numbers"] as const]),
  ];
}

function cloudflare(config: Fields): Unsupported[] {
  const { connection, templateId, categories, customArgs, replyTo, sendAt, tracking } = config;
  const severalReplyTo = Array.isArray(replyTo) && replyTo.length > 1;
  const tags = "Cloudflare does not support this field. Use headers that begin with X-.";
  return [
    ...refusal(connection !== undefined, "connection", 'the e-mail binding has no accounts: remove "connection"'),
    ...refusal(templateId !== undefined, "templateId", "Cloudflare stores no templates; use template"),
    ...refusal(hasValue(categories), "categories", tags),
    ...refusal(customArgs !== undefined, "customArgs", tags),
    ...refusal(
      severalReplyTo,
      "replyTo",
      "Cloudflare accepts only one address; use a mailing list or a shared mailbox",
    ),
    ...refusal(sendAt !== undefined, "sendAt", "Cloudflare sends immediately; use the action's delay instead"),
    ...refusal(hasValue(tracking), "tracking", "Cloudflare does not support tracking: remove this field"),
  ];
}

/**
 * Additional checks of drafts. Resend requires a subject even with its own templates. The check is for drafts only, so
 * definitions that were stored before it existed are still sent.
 */
export const emailDraft = z.record(z.string(), z.unknown()).superRefine((config, context) => {
  const { provider, templateId, subject } = config;
  const lacksSubject = provider === "resend" && templateId !== undefined && subject === undefined;
  const more = refusal(
    lacksSubject,
    "subject",
    "Resend requires a subject, even with templateId. It overrides the subject of the template.",
  );
  for (const [path, message] of [...unsupportedFields(config), ...more]) {
    context.addIssue({ code: "custom", path: [...path], message });
  }
});

function refusal(isRefused: boolean, field: string, reason: string): Unsupported[] {
  return isRefused ? [[[field], reason]] : [];
}

/** Returns true if the field has a value. Empty lists and objects count as absent. */
function hasValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && (typeof value !== "object" || entries(value).length > 0);
}

function entries(value: unknown): [string, unknown][] {
  return value !== null && typeof value === "object" ? Object.entries(value) : [];
}

function isTagWord(value: unknown): boolean {
  return (value === null || typeof value !== "object") && /^[A-Za-z0-9_-]{1,256}$/.test(String(value));
}
