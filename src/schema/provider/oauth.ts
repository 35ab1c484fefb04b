// What an OAuth2 token endpoint answers (RFC 6749, 5): a token, or why it gives none. What comes may be anything.
import type { Json } from "../json.ts";

export type TokenGrant = {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** As it was said, however little sense it makes; null where no number was said. */
  readonly expiresInMs: number | null;
};

/** null: there is no access token in it. */
export function tokenGrantOf(data: Json): TokenGrant | null {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = fieldsOf(data);
  const token = textOf(accessToken);
  if (token === null) return null;
  const seconds = typeof expiresIn === "number" || typeof expiresIn === "string" ? Number(expiresIn) : Number.NaN;
  const expiresInMs = Number.isFinite(seconds) ? seconds * 1_000 : null;
  return { accessToken: token, refreshToken: textOf(refreshToken), expiresInMs };
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
  return typeof value === "string" && value !== "" ? value : null;
}
