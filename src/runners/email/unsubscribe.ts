// Unsubscribe link: inserts the recipient's link into an e-mail, and adds the headers by which mail clients offer to
// unsubscribe with one click (RFC 8058). An e-mail without the link stays unchanged.
import type { Json, JsonObject } from "#schema/json.ts";
import { UNSUBSCRIBE_URL } from "#schema/outgoing/unsubscribe-link.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { RunnerContext } from "../core/runner.ts";
import type { EmailConfig, EmailContent } from "./config.ts";

export type LinkedEmail = { readonly config: EmailConfig; readonly content: EmailContent };
type Linked = ({ readonly ok: true } & LinkedEmail) | (Failure & { readonly ok: false });

export async function insertUnsubscribeLink(
  { config, content }: LinkedEmail,
  { unsubscribe }: Pick<RunnerContext, "unsubscribe">,
): Promise<Linked> {
  const marker = unsubscribe?.insertedMarker() ?? null;
  const { variables } = config;
  const isUsed = marker !== null && JSON.stringify([content, variables ?? null]).includes(marker);
  if (unsubscribe === undefined || !isUsed) return { ok: true, config, content };
  const [recipient, ...others] = [...config.to, ...(config.cc ?? []), ...(config.bcc ?? [])];
  if (recipient === undefined || others.length > 0) {
    const message = `${UNSUBSCRIBE_URL}: the e-mail has ${others.length + 1} recipients; the link requires exactly one, so send one e-mail to each`;
    return { ok: false, ...configurationFailure(message, "unsubscribe_needs_one_recipient") };
  }
  const url = await unsubscribe.url(recipient.email);
  if (url === null) {
    const message = `${UNSUBSCRIBE_URL}: the installation cannot make links; the operator must set PUBLIC_URL and SIGNING_KEY`;
    return { ok: false, ...configurationFailure(message, "unsubscribe_url_unavailable") };
  }
  // Replacing texts keeps the form of the content and of the variables.
  const replaced = <T extends Json>(value: T) => replaceText(value, marker, url) as T;
  const withLink = {
    ...config,
    ...(variables === undefined ? {} : { variables: replaced<JsonObject>(variables) }),
    headers: { ...headersOf(config, url), ...config.headers },
  };
  return { ok: true, config: withLink, content: replaced(content) };
}

/** An e-mail that sets one of the headers itself gets neither, because they belong together. */
function headersOf({ headers = {} }: EmailConfig, url: string): NonNullable<EmailConfig["headers"]> {
  if (Object.keys(headers).some((name) => /^list-unsubscribe(?:-post)?$/i.test(name))) return {};
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

function replaceText(value: Json, marker: string, url: string): Json {
  if (typeof value === "string") return value.replaceAll(marker, () => url);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item: Json) => replaceText(item, marker, url));
  const entries = Object.entries(value as JsonObject); // The checks above exclude null, scalars and lists.
  return Object.fromEntries(entries.map(([name, item]) => [name, replaceText(item, marker, url)]));
}
