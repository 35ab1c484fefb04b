// What is asked of an OAuth2 token endpoint (RFC 6749), and what it answers: a token, or why it gives none. What comes
// may be anything.
import { TOKEN_CHARS_MAX, TOKEN_LIFE_MS_MAX } from "../limits/outgoing-calls.ts";
import type { Json } from "../json.ts";

export type TokenRequest = {
  readonly url: string;
  readonly form: { readonly [field: string]: string };
  /** "Basic …", where the client says who it is in a header. */
  readonly authorization?: string;
  /** What a person has to do, where the provider's own code says less: by code. */
  readonly explained?: { readonly [code: string]: string };
  /** What must not come back in what is kept. */
  readonly secrets: readonly string[];
};

export type TokenGrant = {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** null where no life was said that a token could have: no number, nothing, or less. */
  readonly expiresInMs: number | null;
};

/** What goes into a header: a token that does not is of no use. */
const SENDABLE = /^[\x21-\x7e]+$/;
/** They want a proof with each request, which nobody here could give. All other words for a type mean a bearer. */
const NEEDS_PROOF = /^(?:mac|dpop|pop|n_a)$/i;

export type TokenAnswer =
  | { readonly kind: "granted"; readonly grant: TokenGrant }
  /** It says no, though with a status that says yes. */
  | { readonly kind: "refused"; readonly refusal: TokenRefusal }
  /** No JSON: a proxy's page, or the half of an answer. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "missing" }
  | { readonly kind: "unusable"; readonly tokenType: string };

/** Of an answer with a status of success. */
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
  /** The code and what is said about it; empty where nothing is. */
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
