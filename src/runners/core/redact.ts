// Redaction by name and pattern: removes secrets from URLs, headers and free text. Everything that a runner stores
// about a call (errors, events, metadata, answers) is redacted here or by redact-values.ts.
import { onlyNames } from "#schema/secret.ts";
import { FIELD_NAMES_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";

export const REDACTED = "[redacted]";

const SECRET_WORDS = new Set(
  (
    "apikey assertion auth authorization bearer cookie credential credentials csrf hmac jwt otp passphrase passwd " +
    "password pwd secret sig signature token xsrf"
  ).split(" "),
);
/** Matches the names ending in "key" that mean a credential. Other such names, for example "sort key", do not match. */
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
      return isSecretQuery(decodedName(name)) ? `${name}=${REDACTED}` : pair;
    })
    .join("&");
  return `${parsed.protocol}//${userinfo}${parsed.host}${parsed.pathname}${query === "" ? "" : `?${query}`}`;
}

export function redactHeader(name: string, value: string): string {
  return isSecretName(name) ? REDACTED : redactText(value);
}

const secretNames = new Map<string, boolean>();

/** True for names such as access_token, X-Api-Key, clientSecret, Set-Cookie. False for Idempotency-Key and tokenId. */
export function isSecretName(name: string): boolean {
  const cached = secretNames.get(name);
  if (cached !== undefined) return cached;
  const isSecret = hasSecretWord(name);
  // The result is cached by name, because the same few headers occur in every call. The cache is limited, because
  // clients can choose any names.
  if (secretNames.size < FIELD_NAMES_CACHED_MAX && name.length <= 100) secretNames.set(name, isSecret);
  return isSecret;
}

function hasSecretWord(name: string): boolean {
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
  // A text without a colon, an equals sign or whitespace can only match the token patterns, so the other patterns are
  // skipped.
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

/** Returns the name unchanged if it cannot be decoded. */
function decodedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
