// Scheduled sending: checks and converts `sendAt`, the time at which a provider sends a message.
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { EmailConfig } from "./config.ts";

const HOUR_MS = 60 * 60_000;

/**
 * How far in the future each provider accepts `sendAt`, in hours. Cloudflare has no scheduled sending; unsupported.ts
 * refuses its `sendAt` before this check.
 */
const AHEAD_MAX_HOURS: { readonly [provider in EmailConfig["provider"]]: number } = {
  sendgrid: 72,
  resend: 30 * 24,
  cloudflare: 0,
};

/**
 * A time that passed at most this many hours ago is accepted, and the message is sent immediately. A retry may come
 * after the time. An earlier time is an error.
 */
const PAST_MAX_HOURS = 24;

type SendAt = { readonly ok: true; readonly sendAt: number | null } | (Failure & { readonly ok: false });

/** Returns the time at which the provider sends the message; null: immediately. */
export function sendAtOf({ provider, sendAt }: EmailConfig, now: number): SendAt {
  if (sendAt === undefined) return { ok: true, sendAt: null };
  const sendAtMs = Date.parse(sendAt);
  const aheadMaxHours = AHEAD_MAX_HOURS[provider];
  if (sendAtMs > now + aheadMaxHours * HOUR_MS)
    return outOfRange(
      `sendAt: ${sendAt} is too far ahead: the limit of ${provider} is ${aheadMaxHours} hours; use the action's delay`,
    );
  if (sendAtMs < now - PAST_MAX_HOURS * HOUR_MS)
    return outOfRange(`sendAt: ${sendAt} is more than ${PAST_MAX_HOURS} hours ago; remove sendAt to send immediately`);
  return { ok: true, sendAt: sendAtMs > now ? sendAtMs : null };
}

function outOfRange(message: string): SendAt {
  return { ok: false, ...configurationFailure(message, "send_at_out_of_range") };
}
