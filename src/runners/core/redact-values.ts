// Redaction of known values: removes the secrets that a run received from texts and JSON, in every spelling that URLs,
// forms, JSON and HTML produce. redact.ts recognizes secrets by name and pattern instead.
import type { Json } from "#schema/json.ts";
import { SECRET_CHARS_MIN, SECRET_CUT_CHARS_MIN } from "#schema/limits/outgoing/secret-sizes.ts";
import { REDACTED } from "./redact.ts";

/** Removes the secrets from a text, in every spelling. */
export function redactValues(text: string, secrets: readonly string[]): string {
  if (!textMayContain(text, searchDataOf(secrets).prefixes)) return text;
  let clean = text;
  for (const spelling of spellingsOf(secrets)) clean = removeFrom(clean, spelling);
  return clean;
}

/** Removes the secrets from every string and key of a JSON value. A value without secrets is returned unchanged. */
export function redactJson(value: Json, secrets: readonly string[]): Json {
  return mayContainSecret(value, secrets) ? redactParts(value, secrets) : value;
}

function redactParts(value: Json, secrets: readonly string[]): Json {
  if (typeof value === "string") return redactValues(value, secrets);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map((item) => redactParts(item, secrets));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactValues(key, secrets), redactParts(item, secrets)]),
  );
}

/** Returns false only if the value certainly contains no secret. This check is much cheaper than redaction. */
export function mayContainSecret(value: Json, secrets: readonly string[]): boolean {
  const { prefixes } = searchDataOf(secrets);
  return prefixes.length > 0 && jsonMayContain(value, prefixes);
}

function jsonMayContain(value: Json, prefixes: readonly string[]): boolean {
  if (typeof value === "string") return textMayContain(value, prefixes);
  if (value === null || typeof value !== "object") return false;
  if (isList(value)) return value.some((item) => jsonMayContain(item, prefixes));
  // Object.entries is not used, because this check runs for every answer and must be fast. JSON objects have only own
  // properties, so the result is the same.
  for (const key in value) {
    const item = value[key];
    if (textMayContain(key, prefixes) || (item !== undefined && jsonMayContain(item, prefixes))) return true;
  }
  return false;
}

function textMayContain(text: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) if (text.includes(prefix)) return true;
  return false;
}

/**
 * The search data of one list of secrets. It is cached, because every text of every answer is searched for the same
 * secrets.
 */
type SearchData = {
  /** The length of the list when this data was computed. A longer list means that the data is out of date. */
  readonly count: number;
  /** For each secret, the first characters that all its spellings share. */
  readonly prefixes: readonly string[];
  /** All spellings of the secrets; null until a text needs them, because texts rarely contain a secret. */
  spellings: readonly string[] | null;
};
const searchData = new WeakMap<readonly string[], SearchData>();

/** Returns the list's search data. It is computed again when an opened connection has added secrets to the list. */
function searchDataOf(secrets: readonly string[]): SearchData {
  const cached = searchData.get(secrets);
  if (cached?.count === secrets.length) return cached;
  const prefixes = secrets.filter((secret) => secret.length >= SECRET_CHARS_MIN).map(commonPrefix);
  const computed: SearchData = { count: secrets.length, prefixes, spellings: null };
  searchData.set(secrets, computed);
  return computed;
}

/**
 * Returns the first characters that all spellings of a secret share. Returns an empty text if a URL may drop the
 * secret's beginning ("/../").
 */
function commonPrefix(secret: string): string {
  if (/[\\/](?:\.|%2e)/i.test(secret)) return "";
  const unescaped = /^[\w-]*/.exec(secret)?.[0] ?? "";
  return unescaped.slice(0, SECRET_CHARS_MIN);
}

/** Returns all spellings of the secrets, the longest first, so that a secret inside another one is removed with it. */
function spellingsOf(secrets: readonly string[]): readonly string[] {
  const data = searchDataOf(secrets);
  data.spellings ??= computeSpellings(secrets);
  return data.spellings;
}

function computeSpellings(secrets: readonly string[]): readonly string[] {
  const all = new Set<string>();
  for (const secret of secrets.filter(({ length }) => length >= SECRET_CHARS_MIN)) {
    for (const spelling of [secret, ...spellingsInUrls(secret), ...spellingsInTexts(secret)]) all.add(spelling);
  }
  // A URL may shorten a secret that contains "/../". Very short spellings are dropped, because they would match
  // harmless text.
  const usable = [...all].filter(({ length }) => length >= SECRET_CHARS_MIN);
  return usable.sort((a, b) => b.length - a.length);
}

/**
 * Returns the spellings in URLs and forms. A URL escapes fewer characters than encodeURIComponent, and fewer in its
 * path than in its query.
 */
function spellingsInUrls(secret: string): string[] {
  const [inPath = secret, inQuery = secret] = ["https://x/-", "https://x/?-"].map((start) => {
    const url = URL.parse(`${start}${secret}-`)?.href ?? `${start}${secret}-`;
    return url.slice(start.length, -1);
  });
  const inForm = new URLSearchParams([["", secret]]).toString().slice(1);
  return [percentEncoded(secret), inPath, inQuery, inForm];
}

/** Returns the secret unchanged if it contains half a surrogate pair, which encodeURIComponent refuses. */
function percentEncoded(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    return secret;
  }
}

function spellingsInTexts(secret: string): string[] {
  const inHtml = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inNestedJson = JSON.stringify(inJson).slice(1, -1);
  return [inJson, inNestedJson, inHtml, inHtml.replaceAll("'", "&#39;")];
}

/**
 * Removes a spelling from the text. Also removes the spelling's beginning at the end of the text, where the text may
 * have been cut off. It uses the Knuth-Morris-Pratt search: clients choose text and secret, and backtracking could take
 * minutes.
 */
function removeFrom(text: string, spelling: string): string {
  const cutCharsMin = Math.max(SECRET_CHARS_MIN, Math.min(SECRET_CUT_CHARS_MIN, Math.ceil(spelling.length / 2)));
  if (!text.includes(spelling.slice(0, cutCharsMin))) return text;
  const borders = bordersOf(spelling, Math.min(spelling.length, text.length));
  let clean = "";
  let from = 0;
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    matched = extendMatch(borders, spelling, matched, text.charCodeAt(index));
    if (matched < spelling.length) continue;
    clean += text.slice(from, index + 1 - matched) + REDACTED;
    [from, matched] = [index + 1, 0];
  }
  if (matched < cutCharsMin) return clean + text.slice(from);
  return clean + text.slice(from, text.length - matched) + REDACTED;
}

/** Returns, for each prefix of the spelling, the length of its longest proper prefix that is also its suffix. */
function bordersOf(spelling: string, length: number): Int32Array {
  const borders = new Int32Array(length);
  for (let index = 1; index < length; index++) {
    borders[index] = extendMatch(borders, spelling, borders[index - 1] ?? 0, spelling.charCodeAt(index));
  }
  return borders;
}

/** Returns the length of the matched prefix after one more character. */
function extendMatch(borders: Int32Array, spelling: string, matched: number, char: number): number {
  let length = matched;
  while (length > 0 && spelling.charCodeAt(length) !== char) length = borders[length - 1] ?? 0;
  return spelling.charCodeAt(length) === char ? length + 1 : length;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
