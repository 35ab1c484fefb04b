// Call descriptions for error messages: describe the receiver of a call, and why a connection broke.
import { EXCERPT_CHARS_MAX, MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import { redactText } from "../core/redact.ts";
import { redactValues } from "../core/redact-values.ts";

/**
 * Returns "POST api.example.com:8443/orders/17". The query is left out, because it is often secret. Secrets in the path
 * are redacted.
 */
export function describeReceiver(method: string, { host, pathname }: URL, secrets: readonly string[]): string {
  const path = pathname === "/" ? "" : redactText(redactValues(pathname, secrets));
  const shown = path.length > PATH_CHARS_MAX ? `${path.slice(0, PATH_CHARS_MAX)}…` : path;
  return `${method} ${host}${shown}`;
}

/** The number of characters of a URL's path that a message shows. */
const PATH_CHARS_MAX = EXCERPT_CHARS_MAX / 4;

export function describeError(error: unknown, secrets: readonly string[]): string {
  return redactText(redactValues(errorText(error), secrets)).slice(0, MESSAGE_EXCERPT_CHARS_MAX);
}

/** workerd's error message if it hides the cause. The host names and IP addresses are then only in workerd's log. */
const HIDDEN_CAUSE = /^internal error/;

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (HIDDEN_CAUSE.test(message))
    return `${message}; most often the host's name cannot be resolved (check its spelling)`;
  // Node puts the cause (ECONNREFUSED, ENOTFOUND) into `cause`, workerd into the message.
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = NAME_ERRORS[code] ?? "";
  return cause instanceof Error ? `${message}: ${cause.message}${why}` : message;
}

const NAME_ERRORS: { readonly [code: string]: string } = {
  ENOTFOUND: " (the host's name cannot be resolved: check its spelling)",
  EAI_AGAIN: " (the host's name could not be resolved this time)",
};
