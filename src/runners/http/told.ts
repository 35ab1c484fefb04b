// How a call is spoken of where it went wrong: whom it asked, and what the platform said of a connection that broke.
import { EXCERPT_CHARS_MAX, SAID_CHARS_MAX } from "#schema/limits/runners.ts";
import { redactText, redactValues } from "../core/redact.ts";

/** "POST api.example.com:8443/orders/17": without the query, which is often a secret, and without what is one in the path. */
export function targetOf(method: string, { host, pathname }: URL, secrets: readonly string[]): string {
  const path = pathname === "/" ? "" : redactText(redactValues(pathname, secrets));
  const shown = path.length > PATH_CHARS_MAX ? `${path.slice(0, PATH_CHARS_MAX)}…` : path;
  return `${method} ${host}${shown}`;
}

/** Enough to tell one address from another. */
const PATH_CHARS_MAX = EXCERPT_CHARS_MAX / 4;

export function reasonOf(error: unknown, secrets: readonly string[]): string {
  return redactText(redactValues(saidBy(error), secrets)).slice(0, SAID_CHARS_MAX);
}

/** The platform's word for what it does not want to tell: it tells of names and addresses in its log only. */
const UNTOLD = /^internal error/;

function saidBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (UNTOLD.test(message)) return `${message}; most often the host's name cannot be resolved (is it spelt right?)`;
  // Node puts what happened (ECONNREFUSED, ENOTFOUND) into the cause; workerd into the message.
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const why = RESOLVING[code] ?? "";
  return cause instanceof Error ? `${message}: ${cause.message}${why}` : message;
}

const RESOLVING: { readonly [code: string]: string } = {
  ENOTFOUND: " (the host's name cannot be resolved: is it spelt right?)",
  EAI_AGAIN: " (the host's name could not be resolved just now)",
};
