// Mailboxes: parse and format e-mail addresses with display names. Characters that could end a header are refused.
import { z } from "zod";
import type { EmailMailbox } from "./runner.ts";

const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,58}[A-Za-z0-9])$/i;
const ADDRESS_LENGTH_MAX = 254;

/** A text of one line. A line break in a subject or name would let data add headers to the message. */
export const oneLine = z
  .string()
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), { message: "must be one line, without control characters" });

const ADDRESS_EXPECTED = "must be an e-mail address such as ada@example.com";
const ASCII_ONLY = "the part before the @ must be ASCII, because no provider accepts other characters";

const address = z.string().transform((text, context): string => {
  const read = toWireAddress(text);
  if (read.ok) return read.email;
  context.addIssue({ code: "custom", message: read.isForeign ? ASCII_ONLY : ADDRESS_EXPECTED });
  return z.NEVER;
});
const displayName = oneLine.max(200);

const mailboxText = z.string().transform((text, context): EmailMailbox => {
  const { email, name } = splitMailbox(text.trim());
  const read = toWireAddress(email);
  if (read.ok && displayName.safeParse(name).success) return { email: read.email, name: name || null };
  const message = !read.ok && read.isForeign ? ASCII_ONLY : `${ADDRESS_EXPECTED} or Ada <ada@example.com>`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});
const mailboxObject = z
  .strictObject({ email: address, name: displayName.nullish() })
  .transform(({ email, name }): EmailMailbox => ({ email, name: name || null }));

type WireAddress = { readonly ok: true; readonly email: string } | { readonly ok: false; readonly isForeign: boolean };

/** Validates an address and returns it as mail servers write it, with a non-ASCII domain in Punycode. */
function toWireAddress(text: string): WireAddress {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || text.length > ADDRESS_LENGTH_MAX) return { ok: false, isForeign: false };
  const email = `${local}@${toPunycode(domain)}`;
  const isForeign = /^[\p{L}\p{M}\p{N}!#-'*+\-./=?^-~]+$/u.test(local) && !/^[!-~]+$/.test(local);
  const isAddress = email.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(email) && !/^\.|\.\.|\.@/.test(email);
  return isAddress ? { ok: true, email } : { ok: false, isForeign };
}

/** Converts a domain to Punycode. Returns an invalid domain unchanged, which the caller then refuses. */
function toPunycode(domain: string): string {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || /^[!-~]+$/.test(domain)) return domain;
  return URL.canParse(`https://${domain}/`) ? new URL(`https://${domain}/`).hostname : domain;
}

export const mailbox = z.union([mailboxText, mailboxObject]);

export const mailboxes = z
  .union([mailbox, z.array(mailbox).min(1)])
  .transform((one): readonly EmailMailbox[] => (Array.isArray(one) ? one : [one]));

/** Formats "Ada <ada@example.com>". The name is quoted if it contains special characters of headers. */
export function formatMailbox({ email, name }: EmailMailbox): string {
  if (name === null) return email;
  const quoted = /^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
  return `${quoted} <${email}>`;
}

/** Parses a mailbox text, such as a connection's default sender. Returns null if the text is invalid. */
export function parseMailbox(text: string): EmailMailbox | null {
  const parsed = mailbox.safeParse(text);
  return parsed.success ? parsed.data : null;
}

/**
 * Splits "Ada <ada@example.com>" or a bare address. It uses no regular expression, which would be slow for long runs of
 * spaces.
 */
function splitMailbox(text: string): { email: string; name: string } {
  const open = text.lastIndexOf("<");
  if (open === -1 || !text.endsWith(">")) return { email: text, name: "" };
  const before = text.slice(0, open).trim();
  const isQuoted = before.length > 1 && before.startsWith('"') && before.endsWith('"');
  return { email: text.slice(open + 1, -1), name: isQuoted ? before.slice(1, -1) : before };
}
