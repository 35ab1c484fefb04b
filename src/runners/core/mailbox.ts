// Addresses of people who get e-mail, in the forms definitions write them, without anything that could end a header.
import { z } from "zod";
import type { EmailMailbox } from "./runner.ts";

const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;
const ADDRESS_LENGTH_MAX = 254;

/** A line break in a subject or a name would begin a header of the sender's data's choosing. */
export const oneLine = z.string().refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), {
  message: "one line without control characters",
});

const address = z
  .string()
  .max(ADDRESS_LENGTH_MAX)
  .regex(ADDRESS, { message: "an e-mail address such as ada@example.com" })
  .refine((text) => !/^\.|\.\.|\.@/.test(text), { message: "an e-mail address such as ada@example.com" });
const displayName = oneLine.max(200);

const written = z.string().transform((text, context): EmailMailbox => {
  const { email, name } = parted(text.trim());
  if (address.safeParse(email).success && displayName.safeParse(name).success) return { email, name: name || null };
  context.addIssue({ code: "custom", message: "an e-mail address such as ada@example.com or Ada <ada@example.com>" });
  return z.NEVER;
});
const spelledOut = z
  .strictObject({ email: address, name: displayName.nullish() })
  .transform(({ email, name }): EmailMailbox => ({ email, name: name || null }));

export const mailbox = z.union([written, spelledOut]);

export const mailboxes = z
  .union([mailbox, z.array(mailbox).min(1)])
  .transform((one): readonly EmailMailbox[] => (Array.isArray(one) ? one : [one]));

/** "Ada <ada@example.com>", quoted where the name has characters that mean something in a header. */
export function spelled({ email, name }: EmailMailbox): string {
  if (name === null) return email;
  const quoted = /^[\w !#$%&'*+/=?^`{|}~-]+$/.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
  return `${quoted} <${email}>`;
}

/** Null when a connection's own sender is no address. */
export function parseMailbox(text: string): EmailMailbox | null {
  const parsed = mailbox.safeParse(text);
  return parsed.success ? parsed.data : null;
}

/** "Ada <ada@example.com>" or the address alone. By hand: a pattern for it would crawl over long runs of spaces. */
function parted(text: string): { email: string; name: string } {
  const open = text.lastIndexOf("<");
  if (open === -1 || !text.endsWith(">")) return { email: text, name: "" };
  const before = text.slice(0, open).trim();
  const isQuoted = before.length > 1 && before.startsWith('"') && before.endsWith('"');
  return { email: text.slice(open + 1, -1), name: isQuoted ? before.slice(1, -1) : before };
}
