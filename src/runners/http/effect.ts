// Whether a call that did not succeed may have had its effect all the same, as far as that can be told from outside.
import type { Effect } from "../core/classify.ts";

/**
 * What gives up waiting, or stands between and got no answer, does not know what became of the request; and a success that
 * nobody expected was one. Whoever says otherwise that it failed is believed.
 */
const UNANSWERED = new Set([408, 499, 502, 504, 520, 522, 524]);

export function effectOfStatus(status: number): Effect | null {
  return status < 300 || UNANSWERED.has(status) ? "unknown" : null;
}

/** No connection came about, so nothing was sent: by the codes of Node, and by the words where there is no code. */
const NOT_CONNECTED =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|_CERT|ERR_TLS|ERR_SSL|SSL_ERROR|connection refused|dns lookup failed|getaddrinfo|certificate|tls handshake/i;

export function effectOfBreak(error: unknown): Effect {
  return NOT_CONNECTED.test(wordsOf(error)) ? "none" : "unknown";
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  // Node puts what happened into the cause; workerd into the message.
  return cause instanceof Error ? `${code} ${cause.message}` : error.message;
}
