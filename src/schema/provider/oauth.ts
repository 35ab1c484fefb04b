// OAuth2 token requests (RFC 6749) and their answers: a token, or why there is none. An answer may be anything.
import { TOKEN_CHARS_MAX, TOKEN_LIFE_MS_MAX } from "../limits/outgoing/tokens.ts";
import type { Json } from "../json.ts";

export type TokenRequest = {
  readonly url: string;
  readonly form: { readonly [field: string]: string };
  /** "Basic …", if the client authenticates in a header. */
  readonly authorization?: string;
  /** Instructions that are clearer than the provider's own code: by code. */
  readonly explained?: { readonly [code: string]: string };
  /** Values to redact from everything stored. */
  readonly secrets: readonly string[];
};

export type TokenGrant = {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** null without a valid lifetime: not a number, missing, or not positive. */
  readonly expiresInMs: number | null;
};

/** Characters that a header can contain; another token is useless. */
const SENDABLE = /^[\x21-\x7e]+$/;
/** Token types that require a proof with each request, which is not supported. All other types mean a bearer token. */
const NEEDS_PROOF = /^(?:mac|dpop|pop|n_a)$/i;

export type TokenAnswer =
  | { readonly kind: "granted"; readonly grant: TokenGrant }
  /** An error with a success status. */
  | { readonly kind: "refused"; readonly refusal: TokenRefusal }
  /** Not JSON: a proxy's page, or a truncated answer. */
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
  /** Such as "invalid_grant". */
  readonly code: string | null;
  /** The code and its description; empty if there is none. */
  readonly said: string;
};

export function tokenRefusalOf(data: Json): TokenRefusal {
  const { error, error_description: description } = fieldsOf(data);
  const code = textOf(error);
  return { code, said: [code, textOf(description)].filter((each) => each !== null).join(": ") };
}

function fieldsOf(data: Json): { readonly [name: string]: Json | undefined } {
  return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as { [name: string]: Json }) : {}; // JSON
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" && value.length <= TOKEN_CHARS_MAX ? value : null;
}
