// Call descriptions for error messages: the receiver of a call, and the reason of a broken connection.
import { EXCERPT_CHARS_MAX, MESSAGE_EXCERPT_CHARS_MAX } from "#schema/limits/outgoing/responses.ts";
import { redactText } from "../core/redact.ts";
import { redactValues } from "../core/redact-values.ts";

/**
 * Returns "POST api.example.com:8443/orders/17": without the query, which is often secret, and without secrets in the
 * path.
 */
export function describeReceiver(method: string, { host, pathname }: URL, secrets: readonly string[]): string {
  const path = pathname === "/" ? "" : redactText(redactValues(pathname, secrets));
  const shown = path.length > PATH_CHARS_MAX ? `${path.slice(0, PATH_CHARS_MAX)}…` : path;
  return `${method} ${host}${shown}`;
}

/** The number of characters of a path that a message shows. */
const PATH_CHARS_MAX = EXCERPT_CHARS_MAX / 4;

export function describeError(error: unknown, secrets: readonly string[]): string {
  return redactText(redactValues(errorText(error), secrets)).slice(0, MESSAGE_EXCERPT_CHARS_MAX);
}

/** workerd's message if it hides the cause. Names and addresses are only in its log. */
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
