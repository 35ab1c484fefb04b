// Egress guard for URLs in definitions: templates fill parts of them in each attempt, so only the literal part is
// checked here.
import type { Json } from "../json.ts";
import type { Finding } from "../refusal.ts";
import { addressRefusal, type EgressTerms } from "./egress.ts";

/** Null if the literal part of the URL may be called, or if it is not a URL, which the field's schema refuses. */
export function writtenUrlRefusal(url: string, terms: EgressTerms): string | null {
  const at = url.search(TEMPLATE);
  if (at === -1) return refusalOf(url, terms);
  return refusalOf(hostClosed(url.slice(0, at)), terms) ?? credentialsRefusal(url, terms);
}

/** Findings about the values at these pointers, in which `*` is every item of a list. */
export function writtenUrlFindings(value: Json, pointers: readonly string[], terms: EgressTerms): Finding[] {
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
/** A scheme, as many slashes as the URL parser skips, and a complete host. */
const CLOSED_HOST = /^[\0- ]*[a-z][a-z0-9+.-]*:[/\\]*[^/?#\\]+[/?#\\]/i;
/** A reserved name, so that only the part before it can be refused. */
const REST_OF_HOST = "example.com";

/** A host that a template completes is assumed to be public. */
function hostClosed(prefix: string): string {
  return CLOSED_HOST.test(prefix) ? prefix : prefix + REST_OF_HOST;
}

/** Whatever templates insert, an @ after user and password remains. */
function credentialsRefusal(url: string, terms: EgressTerms): string | null {
  const filled = URL.parse(withoutTemplates(url));
  return filled === null || (filled.username === "" && filled.password === "") ? null : addressRefusal(filled, terms);
}

/** Each becomes one letter. In one pass, because an unclosed one would otherwise be searched from each start. */
function withoutTemplates(url: string): string {
  const [before = "", ...parts] = url.split(TEMPLATE);
  return before + parts.map((part) => `x${part.slice((part.match(ENDED)?.index ?? part.length) + 2)}`).join("");
}

function refusalOf(url: string, terms: EgressTerms): string | null {
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
