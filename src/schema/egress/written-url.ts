// Egress guard for URLs in definitions. Templates fill parts of these URLs in each attempt, so only the literal part is
// checked.
import type { Json } from "../json.ts";
import type { Finding } from "../refusal.ts";
import { addressRefusal, type EgressOptions } from "./egress.ts";

/**
 * Returns null if the literal part of the URL may be called, or if the text is no URL, which the field's schema
 * refuses.
 */
export function writtenUrlRefusal(url: string, terms: EgressOptions): string | null {
  const at = url.search(TEMPLATE);
  if (at === -1) return refusalOf(url, terms);
  return refusalOf(hostClosed(url.slice(0, at)), terms) ?? credentialsRefusal(url, terms);
}

/** Returns findings about the URLs at these pointers. `*` in a pointer means every item of a list. */
export function writtenUrlFindings(value: Json, pointers: readonly string[], terms: EgressOptions): Finding[] {
  return pointers.flatMap((pointer) =>
    textsAt(value, pointer.split("/").slice(1), "").flatMap(({ text, at }) => {
      const message = writtenUrlRefusal(text, terms);
      return message === null ? [] : [{ pointer: at, code: "egress_refused", message, hint: HINT }];
    }),
  );
}

const HINT = "Use a public https: URL without user and password.";

/** The start of a template: an output or a tag. */
const TEMPLATE = /\{\{|\{%/;
const ENDED = /\}\}|%\}/;
/**
 * Matches a URL with a complete host: a scheme, any number of slashes or backslashes, and a character after the host.
 */
const CLOSED_HOST = /^[\0- ]*[a-z][a-z0-9+.-]*:[/\\]*[^/?#\\]+[/?#\\]/i;
/** A reserved host name that completes the literal part, so that only the literal part can be refused. */
const REST_OF_HOST = "example.com";

/** Completes a host whose end comes from a template. The completed host is assumed to be public. */
function hostClosed(prefix: string): string {
  return CLOSED_HOST.test(prefix) ? prefix : prefix + REST_OF_HOST;
}

/** Refuses user and password in a URL. A literal @ remains, whatever the templates insert. */
function credentialsRefusal(url: string, terms: EgressOptions): string | null {
  const filled = URL.parse(withoutTemplates(url));
  return filled === null || (filled.username === "" && filled.password === "") ? null : addressRefusal(filled, terms);
}

/**
 * Replaces each template by one letter. One pass suffices for a text with many unclosed templates, which a regular
 * expression would search from each start.
 */
function withoutTemplates(url: string): string {
  const [before = "", ...parts] = url.split(TEMPLATE);
  return before + parts.map((part) => `x${part.slice((part.match(ENDED)?.index ?? part.length) + 2)}`).join("");
}

function refusalOf(url: string, terms: EgressOptions): string | null {
  const parsed = URL.parse(url);
  return parsed === null ? null : addressRefusal(parsed, terms);
}

type Written = { readonly text: string; readonly at: string };

function textsAt(value: Json | undefined, path: readonly string[], at: string): readonly Written[] {
  const [step, ...rest] = path;
  if (step === undefined) return typeof value === "string" ? [{ text: value, at }] : [];
  if (value === null || typeof value !== "object") return [];
  if (step === "*") return Object.entries(value).flatMap(([name, item]) => textsAt(item, rest, `${at}/${name}`));
  return Object.hasOwn(value, step) ? textsAt((value as { [name: string]: Json })[step], rest, `${at}/${step}`) : [];
}
