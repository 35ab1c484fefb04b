// Normal addresses: converts an address to the one form under which the suppression list stores and finds it.
import type { SuppressionChannel } from "#schema/outgoing/suppression.ts";
import { SUPPRESSED_EMAIL_CHARS_MAX, SUPPRESSED_TOKEN_CHARS_MAX } from "#schema/limits/outgoing/suppression-sizes.ts";

/**
 * Returns the normal form of an address; null if the text is no address of the channel. An e-mail address is lower-cased
 * as a whole: mail servers treat Ada@ and ada@ as one mailbox, and a bounce often reports another case than the message
 * had. A phone number is in E.164 form. A push token or the endpoint of a subscription stays unchanged.
 */
export function normalAddress(channel: SuppressionChannel, address: string): string | null {
  switch (channel) {
    case "email":
      return normalEmail(address);
    case "sms":
      return normalPhone(address);
    case "push":
      return normalToken(address.trim());
  }
}

/** Accepts a bare address and "Ada <ada@example.com>". The domain is returned in Punycode. */
function normalEmail(text: string): string | null {
  const trimmed = text.trim();
  const open = trimmed.lastIndexOf("<");
  const email = open !== -1 && trimmed.endsWith(">") ? trimmed.slice(open + 1, -1) : trimmed;
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  if (at < 1 || email.length > SUPPRESSED_EMAIL_CHARS_MAX || /[\s<>]/.test(email)) return null;
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || !URL.canParse(`https://${domain}/`)) return null;
  return `${email.slice(0, at).toLowerCase()}@${new URL(`https://${domain}/`).hostname}`;
}

/** Accepts spaces and punctuation between the digits, the prefix 00 for +, and the prefix of Twilio's WhatsApp numbers. */
function normalPhone(text: string): string | null {
  const digits = text
    .trim()
    .replace(/^whatsapp:/i, "")
    .replace(/[\s().\u2010-\u2015-]/g, "")
    .replace(/^00/, "+");
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}

function normalToken(text: string): string | null {
  return text === "" || text.length > SUPPRESSED_TOKEN_CHARS_MAX ? null : text;
}
