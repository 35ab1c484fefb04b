// OAuth2 token requests (RFC 6749) and the answers to them. An answer may be any JSON.
import { TOKEN_CHARS_MAX, TOKEN_LIFE_MS_MAX } from "../limits/outgoing/tokens.ts";
import type { Json } from "../json.ts";

export type TokenRequest = {
  readonly url: string;
  readonly form: { readonly [field: string]: string };
  /** The Authorization header "Basic …". Absent if the client authenticates in another way. */
  readonly authorization?: string;
  /** Instructions for operators, by the error code of the provider. */
  readonly explained?: { readonly [code: string]: string };
  /** Secret values that are redacted from all stored texts. */
  readonly secrets: readonly string[];
};

export type TokenGrant = {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** The token's lifetime in ms. Null if the answer contains no positive number. */
  readonly expiresInMs: number | null;
};

/** The characters that a header may contain. A token with any other character cannot be sent in a header. */
const SENDABLE = /^[\x21-\x7e]+$/;
/**
 * Token types that require a proof with each request. They are not supported. Any other type counts as a bearer token.
 */
const NEEDS_PROOF = /^(?:mac|dpop|pop|n_a)$/i;

export type TokenAnswer =
  | { readonly kind: "granted"; readonly grant: TokenGrant }
  /** The answer has a success status, but its body contains an error. */
  | { readonly kind: "refused"; readonly refusal: TokenRefusal }
  /** The answer is not JSON. It may be a proxy's page or a truncated body. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "missing" }
  | { readonly kind: "unusable"; readonly tokenType: string };

/** Parses an answer with a success status. */
export function tokenAnswerOf(data: Json): TokenAnswer {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return { kind: "unreadable" };
  const fields = fieldsOf(data);
  const accessToken = textOf(fields["access_token"]);
  if (accessToken === null || !SENDABLE.test(accessToken)) {
    const refusal = tokenRefusalOf(data);
    return refusal.code === null ? { kind: "missing" } : { kind: "refused", refusal };
  }
  const tokenType = textOf(fields["token_type"]) ?? "bearer";
  if (NEEDS_PROOF.test(tokenType)) return { kind: "unusable", tokenType };
  const refreshToken = textOf(fields["refresh_token"]);
  return { kind: "granted", grant: { accessToken, refreshToken, expiresInMs: lifeOf(fields["expires_in"]) } };
}

function lifeOf(expiresIn: Json | undefined): number | null {
  const seconds = typeof expiresIn === "number" || typeof expiresIn === "string" ? Number(expiresIn) : Number.NaN;
  return seconds > 0 ? Math.min(seconds * 1_000, TOKEN_LIFE_MS_MAX) : null;
}

export type TokenRefusal = {
  /** The error code, such as "invalid_grant". Null if the answer contains none. */
  readonly code: string | null;
  /** The error code with its description. Empty if the answer contains neither. */
  readonly said: string;
};

export function tokenRefusalOf(data: Json): TokenRefusal {
  const { error, error_description: description } = fieldsOf(data);
  const code = textOf(error);
  return { code, said: [code, textOf(description)].filter((each) => each !== null).join(": ") };
}

function fieldsOf(data: Json): { readonly [name: string]: Json | undefined } {
  return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as { [name: string]: Json }) : {}; // Parsed JSON that is neither null nor a list is an object.
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" && value.length <= TOKEN_CHARS_MAX ? value : null;
}
