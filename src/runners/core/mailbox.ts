// Mailboxes: parses and formats e-mail addresses with display names. Refuses line breaks, because a line break in a name
// could add a header to the message.
import { z } from "zod";
import type { EmailMailbox } from "./runner.ts";

const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,58}[A-Za-z0-9])$/i;
const ADDRESS_LENGTH_MAX = 254;
/** A display name without special characters of headers, which needs no quotes. */
const UNQUOTED_NAME = /^[\w !#$%&'*+/=?^`{|}~-]+$/;

/** A text of one line. With a line break in a subject or name, a caller could add headers to the message. */
export const oneLine = z
  .string()
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), { message: "must be one line, without control characters" });

const ADDRESS_EXPECTED = "must be an e-mail address such as ada@example.com";
const ASCII_ONLY = "the part before the @ must be ASCII, because no provider accepts other characters";

const address = z.string().transform((text, context): string => {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.email;
  context.addIssue({ code: "custom", message: parsed.hasForeignLocalPart ? ASCII_ONLY : ADDRESS_EXPECTED });
  return z.NEVER;
});
const displayName = oneLine.max(200);

const mailboxText = z.string().transform((text, context): EmailMailbox => {
  const { email, name } = splitMailbox(text.trim());
  const parsed = parseAddress(email);
  if (parsed.ok && displayName.safeParse(name).success) return { email: parsed.email, name: name || null };
  const message =
    !parsed.ok && parsed.hasForeignLocalPart ? ASCII_ONLY : `${ADDRESS_EXPECTED} or Ada <ada@example.com>`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});
const mailboxObject = z
  .strictObject({ email: address, name: displayName.nullish() })
  .transform(({ email, name }): EmailMailbox => ({ email, name: name || null }));

type ParsedAddress =
  | { readonly ok: true; readonly email: string }
  | { readonly ok: false; readonly hasForeignLocalPart: boolean };

/**
 * Validates an address and returns it with a non-ASCII domain in Punycode, as mail servers expect it.
 * `hasForeignLocalPart`: the part before the @ has non-ASCII letters, which gets its own error message.
 */
function parseAddress(text: string): ParsedAddress {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || text.length > ADDRESS_LENGTH_MAX) return { ok: false, hasForeignLocalPart: false };
  const email = `${local}@${toPunycode(domain)}`;
  const hasForeignLocalPart = /^[\p{L}\p{M}\p{N}!#-'*+\-./=?^-~]+$/u.test(local) && !/^[!-~]+$/.test(local);
  const isAddress = email.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(email) && !/^\.|\.\.|\.@/.test(email);
  return isAddress ? { ok: true, email } : { ok: false, hasForeignLocalPart };
}

/** Converts a domain to Punycode. Returns an invalid domain unchanged, and the caller then refuses the address. */
function toPunycode(domain: string): string {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || /^[!-~]+$/.test(domain)) return domain;
  return URL.canParse(`https://${domain}/`) ? new URL(`https://${domain}/`).hostname : domain;
}

export const mailbox = z.union([mailboxText, mailboxObject]);

export const mailboxes = z
  .union([mailbox, z.array(mailbox).min(1)])
  .transform((one): readonly EmailMailbox[] => (Array.isArray(one) ? one : [one]));

/** Returns a text such as "Ada <ada@example.com>", or the bare address if the mailbox has no name. */
export function formatMailbox({ email, name }: EmailMailbox): string {
  if (name === null) return email;
  return `${quote(name)} <${email}>`;
}

/** Parses a mailbox text, such as a connection's default sender. Returns null if the text is not a mailbox. */
export function parseMailbox(text: string): EmailMailbox | null {
  const parsed = mailbox.safeParse(text);
  return parsed.success ? parsed.data : null;
}

/**
 * Splits "Ada <ada@example.com>" or a bare address. The name is "" for a bare address. The function searches for the
 * brackets without a regular expression, because an expression would be slow for long runs of spaces.
 */
function splitMailbox(text: string): { email: string; name: string } {
  const open = text.lastIndexOf("<");
  if (open === -1 || !text.endsWith(">")) return { email: text, name: "" };
  return { email: text.slice(open + 1, -1), name: unquote(text.slice(0, open).trim()) };
}

/** Returns a name as a header contains it: unchanged, or in quotes with a backslash before each quote and backslash. */
function quote(name: string): string {
  return UNQUOTED_NAME.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
}

/** Returns the name without quotes and backslashes: the inverse of `quote`. A name without quotes stays unchanged. */
function unquote(name: string): string {
  const isQuoted = name.length > 1 && name.startsWith('"') && name.endsWith('"');
  return isQuoted ? name.slice(1, -1).replace(/\\(["\\])/g, "$1") : name;
}
