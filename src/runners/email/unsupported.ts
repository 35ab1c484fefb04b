// What each provider has no place for. It is refused rather than left out, by field and with what to do instead: while
// a definition is a draft, and again before anything is sent.
import { z } from "zod";

/** As a config has it, or its draft, where templates stand in the place of values. */
type Fields = { readonly [name in string]?: unknown };
export type Unsupported = readonly [path: readonly (string | number)[], said: string];

const providers: { readonly [provider: string]: (config: Fields) => Unsupported[] } = { sendgrid, resend, cloudflare };

/** None for what is a template still, or a word that the config's own check refuses. */
export function unsupported(config: Fields): readonly Unsupported[] {
  const provider = String(config["provider"]);
  return Object.hasOwn(providers, provider) ? (providers[provider]?.(config) ?? []) : [];
}

function sendgrid({ templateId, subject }: Fields): Unsupported[] {
  if (templateId === undefined || subject === undefined) return [];
  return [
    [["subject"], "SendGrid's templates have their own: write {{{subject}}} there, and give it among the variables"],
  ];
}

function resend({ categories, customArgs, templateId, variables, tracking }: Fields): Unsupported[] {
  const odd = entries(customArgs).find(([name, value]) => !isTagWord(name) || !isTagWord(value));
  const deep = entries(templateId === undefined ? {} : variables).find(
    ([, value]) => typeof value !== "string" && typeof value !== "number",
  );
  return [
    ...refusal(isGiven(categories), "categories", "Resend has none; use customArgs, which become its tags"),
    ...refusal(isGiven(tracking), "tracking", "Resend has it by domain; set it for the sender's domain there"),
    ...(odd === undefined
      ? []
      : [[["customArgs", odd[0]], "Resend's tags are letters, digits, _ and - only"] as const]),
    ...(deep === undefined
      ? []
      : [[["variables", deep[0]], "Resend's templates take texts and numbers only"] as const]),
  ];
}

function cloudflare(config: Fields): Unsupported[] {
  const { connection, templateId, categories, customArgs, replyTo, sendAt, tracking } = config;
  const severalReplyTo = Array.isArray(replyTo) && replyTo.length > 1;
  const tags = "Cloudflare has none; use headers that begin with X-";
  return [
    ...refusal(connection !== undefined, "connection", "the e-mail binding has no accounts; leave it out"),
    ...refusal(templateId !== undefined, "templateId", "Cloudflare keeps no templates; use template"),
    ...refusal(isGiven(categories), "categories", tags),
    ...refusal(customArgs !== undefined, "customArgs", tags),
    ...refusal(severalReplyTo, "replyTo", "Cloudflare takes one address; name a list or a shared mailbox"),
    ...refusal(sendAt !== undefined, "sendAt", "Cloudflare sends at once; give the action a delay instead"),
    ...refusal(isGiven(tracking), "tracking", "Cloudflare tracks nothing; leave it out"),
  ];
}

/**
 * Beside the config's own check, for drafts. Resend's API asks for a subject, with a template of its own, too; what was
 * stored before that was known goes on being sent as it is.
 */
export const emailDraft = z.record(z.string(), z.unknown()).superRefine((config, context) => {
  const { provider, templateId, subject } = config;
  const bare = provider === "resend" && templateId !== undefined && subject === undefined;
  const more = refusal(bare, "subject", "Resend asks for one with templateId, too; it goes before the template's own");
  for (const [path, message] of [...unsupported(config), ...more]) {
    context.addIssue({ code: "custom", path: [...path], message });
  }
});

function refusal(isRefused: boolean, field: string, said: string): Unsupported[] {
  return isRefused ? [[[field], said]] : [];
}

/** Empty lists and objects ask for nothing. */
function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && (typeof value !== "object" || entries(value).length > 0);
}

function entries(value: unknown): [string, unknown][] {
  return value !== null && typeof value === "object" ? Object.entries(value) : [];
}

function isTagWord(value: unknown): boolean {
  return (value === null || typeof value !== "object") && /^[A-Za-z0-9_-]{1,256}$/.test(String(value));
}
