// When a provider is to send a message on that it has been given before.
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { EmailConfig } from "./config.ts";

const HOUR_MS = 60 * 60_000;

/** How far ahead each takes a message. Cloudflare takes none, and has said so by then. */
const AHEAD_MAX_HOURS: { readonly [provider in EmailConfig["provider"]]: number } = {
  sendgrid: 72,
  resend: 30 * 24,
  cloudflare: 0,
};

/** Attempts wait for each other: what was ahead for the first may have passed by the last. Longer ago is a mistake. */
const PAST_MAX_HOURS = 24;

type SendAt = { readonly ok: true; readonly sendAt: number | null } | (Failure & { readonly ok: false });

/** Null: at once. */
export function sendAtOf({ provider, sendAt }: EmailConfig, now: number): SendAt {
  if (sendAt === undefined) return { ok: true, sendAt: null };
  const at = Date.parse(sendAt);
  const max = AHEAD_MAX_HOURS[provider];
  if (at > now + max * HOUR_MS)
    return outOfRange(`sendAt: ${sendAt} is too far ahead: ${provider} takes ${max} hours; give the action a delay`);
  if (at < now - PAST_MAX_HOURS * HOUR_MS)
    return outOfRange(`sendAt: ${sendAt} passed more than ${PAST_MAX_HOURS} hours ago; leave it out to send at once`);
  return { ok: true, sendAt: at > now ? at : null };
}

function outOfRange(message: string): SendAt {
  return { ok: false, ...configurationFailure(message, "send_at_out_of_range") };
}
