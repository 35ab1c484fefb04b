// Effect of failed calls: determine from a status or error whether the call may have taken effect.
import type { Effect } from "../core/classify.ts";

/** The statuses after which the call's effect is unknown: timeouts, and proxies that got no answer. */
const EFFECT_UNKNOWN = new Set([408, 499, 502, 504, 520, 522, 524]);

export function effectOfStatus(status: number): Effect | null {
  return status < 300 || EFFECT_UNKNOWN.has(status) ? "unknown" : null;
}

/**
 * Matches errors that occur before a connection exists, so that nothing was sent. The patterns match Node's codes and
 * workerd's texts.
 */
const NOT_CONNECTED =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|_CERT|ERR_TLS|ERR_SSL|SSL_ERROR|connection refused|dns lookup failed|getaddrinfo|certificate|tls handshake/i;

export function effectOfError(error: unknown): Effect {
  return NOT_CONNECTED.test(errorText(error)) ? "none" : "unknown";
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  // Node puts the cause into `cause`, workerd into the message.
  return cause instanceof Error ? `${code} ${cause.message}` : error.message;
}
