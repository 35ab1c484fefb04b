// Egress guard for URLs in definitions. Templates insert parts of such a URL at each attempt. So only its literal parts
// are checked here, and the whole URL at each attempt.
import type { Json } from "../json.ts";
import type { Finding } from "../refusal.ts";
import { addressRefusal, type EgressOptions } from "./egress.ts";

/**
 * Returns null if no literal part of the URL is refused. Also returns null if the text is not a URL, because the
 * field's own schema refuses it.
 */
export function writtenUrlRefusal(url: string, terms: EgressOptions): string | null {
  const at = url.search(TEMPLATE);
  if (at === -1) return refusalOf(url, terms);
  return refusalOf(hostClosed(url.slice(0, at)), terms) ?? credentialsRefusal(url, terms);
}

/**
 * Checks the URLs at these JSON pointers, and returns a finding for each refused URL. A `*` in a pointer means every item of a list.
 */
export function writtenUrlFindings(value: Json, pointers: readonly string[], terms: EgressOptions): Finding[] {
  return pointers.flatMap((pointer) =>
    textsAt(value, pointer.split("/").slice(1), "").flatMap(({ text, at }) => {
      const message = writtenUrlRefusal(text, terms);
      return message === null ? [] : [{ pointer: at, code: "egress_refused", message, hint: HINT }];
    }),
  );
}

const HINT = "Use a public https: URL without user and password.";

/** The beginning of a template's output ({{) or tag ({%). */
const TEMPLATE = /\{\{|\{%/;
const ENDED = /\}\}|%\}/;
/**
 * Matches a URL whose host ends before the first template: a scheme, slashes or backslashes, the host, and one more
 * character.
 */
const CLOSED_HOST = /^[\0- ]*[a-z][a-z0-9+.-]*:[/\\]*[^/?#\\]+[/?#\\]/i;
/**
 * The rest of a host that a template inserts, replaced by a harmless name. If the completed host is still refused, its
 * literal part is the reason.
 */
const REST_OF_HOST = "example.com";

/** Completes a URL that ends within its host, where a template follows. */
function hostClosed(prefix: string): string {
  return CLOSED_HOST.test(prefix) ? prefix : prefix + REST_OF_HOST;
}

/** Refuses a URL with user and password. No template can remove the literal @, so every attempt would be refused. */
function credentialsRefusal(url: string, terms: EgressOptions): string | null {
  const filled = URL.parse(withoutTemplates(url));
  return filled === null || (filled.username === "" && filled.password === "") ? null : addressRefusal(filled, terms);
}

/**
 * Replaces each template by one letter, in one pass. A regular expression would search the rest of the text again for
 * each template that is not closed.
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
