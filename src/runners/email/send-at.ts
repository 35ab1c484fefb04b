// Scheduled sending: when a provider sends a message that it accepts in advance.
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { EmailConfig } from "./config.ts";

const HOUR_MS = 60 * 60_000;

/** How far ahead each accepts a message. Cloudflare accepts none, and was refused earlier. */
const AHEAD_MAX_HOURS: { readonly [provider in EmailConfig["provider"]]: number } = {
  sendgrid: 72,
  resend: 30 * 24,
  cloudflare: 0,
};

/** Attempts are delayed: a time ahead of the first may be past for the last. A longer time ago is an error. */
const PAST_MAX_HOURS = 24;

type SendAt = { readonly ok: true; readonly sendAt: number | null } | (Failure & { readonly ok: false });

/** Null: at once. */
export function sendAtOf({ provider, sendAt }: EmailConfig, now: number): SendAt {
  if (sendAt === undefined) return { ok: true, sendAt: null };
  const at = Date.parse(sendAt);
  const max = AHEAD_MAX_HOURS[provider];
  if (at > now + max * HOUR_MS)
    return outOfRange(
      `sendAt: ${sendAt} is too far ahead: the limit of ${provider} is ${max} hours; use the action's delay`,
    );
  if (at < now - PAST_MAX_HOURS * HOUR_MS)
    return outOfRange(`sendAt: ${sendAt} is more than ${PAST_MAX_HOURS} hours ago; remove it to send at once`);
  return { ok: true, sendAt: at > now ? at : null };
}

function outOfRange(message: string): SendAt {
  return { ok: false, ...configurationFailure(message, "send_at_out_of_range") };
}
