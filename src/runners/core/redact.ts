// Redaction by name and pattern: removes secrets from URLs, headers and free text. Everything that a runner stores of a
// call (errors, events, metadata, answers) passes this file or redact-values.ts.
import type { Json } from "#schema/json.ts";
import { onlyNames } from "#schema/secret.ts";
import { FIELD_NAMES_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import { SECRET_CHARS_MIN, SECRET_CUT_CHARS_MIN } from "#schema/limits/outgoing/secret-sizes.ts";

const REDACTED = "[redacted]";

const SECRET_WORDS = new Set(
  (
    "apikey assertion auth authorization bearer cookie credential credentials csrf hmac jwt otp passphrase passwd " +
    "password pwd secret sig signature token xsrf"
  ).split(" "),
);
/** Names that end in "key" and mean a credential. Other names with "key", such as "sort key", do not. */
const SECRET_KEYS = /^(?:x )?(?:(?:api|app|access|auth|private|secret|subscription|signing|functions?|master) )?key$/;

/** Removes user, password, fragment, and query values with secret names. Returns "[redacted]" for an invalid URL. */
export function redactUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return REDACTED;
  const userinfo = parsed.username === "" && parsed.password === "" ? "" : `${REDACTED}@`;
  const query = parsed.search
    .slice(1)
    .split("&")
    .map((pair) => {
      const name = pair.split("=", 1)[0] ?? "";
      return isSecretQuery(decoded(name)) ? `${name}=${REDACTED}` : pair;
    })
    .join("&");
  return `${parsed.protocol}//${userinfo}${parsed.host}${parsed.pathname}${query === "" ? "" : `?${query}`}`;
}

export function redactHeader(name: string, value: string): string {
  return isSecretName(name) ? REDACTED : redactText(value);
}

const judged = new Map<string, boolean>();

/** True for names such as access_token, X-Api-Key, clientSecret, Set-Cookie. False for Idempotency-Key and tokenId. */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const isSecret = soundsSecret(name);
  // The same few headers occur in every call. The cache is limited, because clients can choose any names.
  if (judged.size < FIELD_NAMES_CACHED_MAX && name.length <= 100) judged.set(name, isSecret);
  return isSecret;
}

function soundsSecret(name: string): boolean {
  if (onlyNames(name)) return false;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_KEYS.test(words.join(" "));
}

/**
 * In a query, `code` is an authorization code or a function's key. Elsewhere `code` names an error and stays readable.
 */
export function isSecretQuery(name: string): boolean {
  return name.toLowerCase() === "code" || isSecretName(name);
}

/** Removes credentials that have a known form from free text. Every pattern is bounded or linear. */
export function redactText(text: string): string {
  // Without a colon, an equals sign or whitespace only the token patterns can match.
  if (!/[:=\s]/.test(text)) return withoutTokens(text);
  const clean = text
    .replace(/\b((?:set-)?cookie|(?:proxy-)?authorization)(\s{0,3}:\s{0,3})[^\r\n]+/gi, `$1$2${REDACTED}`)
    .replace(/\b(bearer|basic)(\s{1,3})[A-Za-z0-9._~+/=-]{6,}/gi, `$1$2${REDACTED}`)
    .replace(/\b(https?:\/\/)[^\s/@"'<>]{1,512}@/gi, `$1${REDACTED}@`);
  return redactNamed(withoutTokens(clean));
}

function withoutTokens(text: string): string {
  if (text.length < TOKEN_CHARS_MIN) return text;
  return text.replace(/\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,4}/g, REDACTED).replace(KNOWN_PREFIXES, REDACTED);
}

/** The shortest text that one of the two patterns below matches: "eyJ", eight more characters, and a full stop. */
const TOKEN_CHARS_MIN = 12;

/** The prefixes of well-known providers' keys. */
const KNOWN_PREFIXES =
  /\b(?:whsec_|sk_live_|sk_test_|rk_live_|gh[opsu]_|github_pat_|xox[abeoprs]-|SG\.|AKIA|ASIA)[A-Za-z0-9_./+=-]{12,}/g;
/**
 * Matches a field's name before its value: `name=`, `name: `, `"name": `, or with escaped quotes. VALUE matches the
 * value or a list of values.
 */
const NAME = /(\\{0,3}["']|)\b([A-Za-z][A-Za-z0-9_-]{1,40})\1\s{0,3}[:=]\s{0,3}/g;
const VALUE =
  /(\\{1,3}")[^"\\]{1,4096}|(")(?:[^"\\]|\\.){1,4096}|(')[^']{1,4096}|\[[^[\]]{1,4096}\]?|[^\s"'&,;<>{}[\]\\]+/y;

function redactNamed(text: string): string {
  let clean = "";
  let from = 0;
  for (const { 0: whole, 2: name = "", index } of text.matchAll(NAME)) {
    const start = index + whole.length;
    if (start < from || !isSecretName(name)) continue;
    VALUE.lastIndex = start;
    const value = VALUE.exec(text);
    if (value === null) continue;
    clean += text.slice(from, start) + (value[1] ?? value[2] ?? value[3] ?? "") + REDACTED;
    from = start + value[0].length;
  }
  return clean + text.slice(from);
}

/** Removes known secret values from a text, in every spelling that URLs, forms, JSON and HTML produce. */
export function redactValues(text: string, secrets: readonly string[]): string {
  if (!mayHold(text, secrets)) return text;
  let clean = text;
  for (const secret of spellings(secrets)) clean = without(clean, secret);
  return clean;
}

/**
 * Removes known secret values from every string and key of a JSON value. A value without secrets is returned unchanged.
 */
export function redactJson(value: Json, secrets: readonly string[]): Json {
  return mayHoldAny(value, secrets) ? redacted(value, secrets) : value;
}

/** Returns false if the value certainly contains no secret. This check is much cheaper than redaction. */
export function mayHoldAny(value: Json, secrets: readonly string[]): boolean {
  const { starts } = known(secrets);
  return starts.length > 0 && holdsStart(value, starts);
}

function holdsStart(value: Json, starts: readonly string[]): boolean {
  if (typeof value === "string") return textHolds(value, starts);
  if (value === null || typeof value !== "object") return false;
  if (isList(value)) return value.some((item) => holdsStart(item, starts));
  // Iterates without Object.entries, because JSON objects have only own members and this check runs for every answer.
  for (const key in value) {
    const item = value[key];
    if (textHolds(key, starts) || (item !== undefined && holdsStart(item, starts))) return true;
  }
  return false;
}

function redacted(value: Json, secrets: readonly string[]): Json {
  if (typeof value === "string") return redactValues(value, secrets);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map((item) => redacted(item, secrets));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactValues(key, secrets), redacted(item, secrets)]),
  );
}

/** Cached data about a list of secrets, because each text of a JSON value uses it. */
type Known = { readonly count: number; readonly starts: readonly string[]; spellings: readonly string[] | null };
const knownOf = new WeakMap<readonly string[], Known>();

/**
 * Returns the cached data of the list. Opened connections add secrets to a list in use; the data is then computed
 * again.
 */
function known(secrets: readonly string[]): Known {
  const before = knownOf.get(secrets);
  if (before?.count === secrets.length) return before;
  const starts = secrets.filter((secret) => secret.length >= SECRET_CHARS_MIN).map(startOf);
  const now = { count: secrets.length, starts, spellings: null };
  knownOf.set(secrets, now);
  return now;
}

/** Checks only the beginnings of secrets, because a text rarely contains one. The spellings are not computed. */
function mayHold(text: string, secrets: readonly string[]): boolean {
  return textHolds(text, known(secrets).starts);
}

function textHolds(text: string, starts: readonly string[]): boolean {
  for (const start of starts) if (text.includes(start)) return true;
  return false;
}

/**
 * Returns the part that all spellings of a secret begin with. Empty if a URL may drop the secret's beginning ("/../").
 */
function startOf(secret: string): string {
  return /[\\/](?:\.|%2e)/i.test(secret) ? "" : (/^[\w-]*/.exec(secret)?.[0] ?? "").slice(0, SECRET_CHARS_MIN);
}

/** Returns all spellings of the secrets, the longest first, so that a secret inside another one is removed with it. */
function spellings(secrets: readonly string[]): readonly string[] {
  const about = known(secrets);
  about.spellings ??= spelled(secrets);
  return about.spellings;
}

function spelled(secrets: readonly string[]): readonly string[] {
  const long = secrets.filter((secret) => secret.length >= SECRET_CHARS_MIN);
  const all = new Set(long.flatMap((secret) => [secret, encoded(secret), ...inUrls(secret), ...inTexts(secret)]));
  // Short spellings are dropped: a URL may shorten a secret that contains "/../".
  const kept = [...all].filter((each) => each.length >= SECRET_CHARS_MIN);
  return kept.sort((a, b) => b.length - a.length);
}

/**
 * A URL escapes fewer characters than encodeURIComponent, and fewer in its path than in its query. Forms have their own
 * encoding.
 */
function inUrls(secret: string): string[] {
  const written = ["https://x/-", "https://x/?-"].map((start) =>
    attempted(`${start}${secret}-`, urlOf).slice(start.length, -1),
  );
  return [...written, new URLSearchParams([["", secret]]).toString().slice(1)];
}

function inTexts(secret: string): string[] {
  const escaped = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  const quoted = JSON.stringify(secret).slice(1, -1);
  // The second JSON encoding covers a JSON body inside another JSON text.
  return [quoted, JSON.stringify(quoted).slice(1, -1), escaped, escaped.replaceAll("'", "&#39;")];
}

function urlOf(text: string): string {
  return new URL(text).href;
}

/**
 * Removes a secret from the text, and a part of it at the text's end if the text was cut off there. It uses the
 * Knuth-Morris-Pratt search: clients choose text and secret, and backtracking could take minutes.
 */
function without(text: string, secret: string): string {
  const shortest = Math.max(SECRET_CHARS_MIN, Math.min(SECRET_CUT_CHARS_MIN, Math.ceil(secret.length / 2)));
  if (!text.includes(secret.slice(0, shortest))) return text;
  const borders = bordersOf(secret, Math.min(secret.length, text.length));
  let clean = "";
  let from = 0;
  let matched = 0;
  for (let at = 0; at < text.length; at++) {
    matched = extended(borders, secret, matched, text.charCodeAt(at));
    if (matched < secret.length) continue;
    clean += text.slice(from, at + 1 - matched) + REDACTED;
    [from, matched] = [at + 1, 0];
  }
  return matched < shortest ? clean + text.slice(from) : clean + text.slice(from, text.length - matched) + REDACTED;
}

/** Returns, for each prefix of the secret, the length of its longest proper prefix that is also its suffix. */
function bordersOf(secret: string, length: number): Int32Array {
  const borders = new Int32Array(length);
  for (let at = 1; at < length; at++) {
    borders[at] = extended(borders, secret, borders[at - 1] ?? 0, secret.charCodeAt(at));
  }
  return borders;
}

/** Returns the length of the matched prefix after one more character. */
function extended(borders: Int32Array, secret: string, matched: number, char: number): number {
  let length = matched;
  while (length > 0 && secret.charCodeAt(length) !== char) length = borders[length - 1] ?? 0;
  return secret.charCodeAt(length) === char ? length + 1 : length;
}

/** Returns the name unchanged if it cannot be decoded. */
function decoded(name: string): string {
  return attempted(name, decodeURIComponent);
}

function encoded(secret: string): string {
  return attempted(secret, encodeURIComponent);
}

function attempted(text: string, change: (text: string) => string): string {
  try {
    return change(text);
  } catch {
    return text;
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
