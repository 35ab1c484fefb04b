// The interface of all verification schemes. A scheme reads a request and returns the claim that must be verified; the
// cryptography is elsewhere (`src/services/hooks/verify-hook.ts`).
import type { Json } from "#schema/json.ts";
import type { SchemeName, Verification } from "#schema/inbound/verification.ts";

export type HookRequest = {
  readonly method: string;
  /** The address that the sender called. */
  readonly url: string;
  /** The headers by name, in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
};

/** `sender`: the address that calls; null where the platform does not report it. */
export type HookHead = Omit<HookRequest, "body"> & { readonly sender: string | null };

export type Digest = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

export type Claim =
  /** Valid if one of the signatures signs one of the contents with one of the keys. */
  | {
      readonly kind: "hmac";
      readonly digest: Digest;
      readonly contents: readonly Uint8Array[];
      readonly signatures: readonly (Uint8Array | null)[];
      readonly keyOf: (key: string) => Uint8Array | null;
    }
  /** P-256 with SHA-256; the keys are public ones. */
  | {
      readonly kind: "ecdsa";
      readonly contents: readonly Uint8Array[];
      readonly signatures: readonly (Uint8Array | null)[];
      readonly keyOf: (key: string) => Uint8Array | null;
    }
  /** The request contains a shared secret. */
  | { readonly kind: "same"; readonly given: string; readonly expected: (secret: string) => string }
  /** Knowing the address is enough. */
  | { readonly kind: "none" };

export type SignatureClaim = {
  readonly claim: Claim;
  /** When it was signed, in milliseconds; null if no time is signed. */
  readonly signedAt: number | null;
  /** SHA-256 of the body in hex, if the digest is signed instead of the body; otherwise null. */
  readonly bodyDigest: string | null;
};

export type Scheme<Name extends SchemeName = SchemeName> = {
  /** The signature covers a form's fields, so these are parsed before verification. */
  readonly signsFields?: true;
  /** null if the request lacks a required part. */
  readonly claim: (request: HookRequest, settings: Extract<Verification, { scheme: Name }>) => SignatureClaim | null;
  /** The sender's id of the delivery; null if it has none. */
  readonly deliveryId: (request: HookRequest, body: Json) => string | null;
  /** The items of a request that contains several. */
  readonly items?: (body: Json) => readonly Json[] | null;
  /** The response to a request that only checks the address. */
  readonly echo?: (body: Json) => Json | null;
};

export const noDigest = { bodyDigest: null } as const;

export function header(request: HookRequest, name: string): string | null {
  return request.headers.get(name.toLowerCase())?.trim() ?? null;
}

/** Whole seconds, as most senders write them; NaN for anything else. */
export function secondsOf(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Number.NaN;
}

/** A field of an object; undefined if it is missing, or if the value is not an object. */
export function fieldOf(body: Json | undefined, name: string): Json | undefined {
  if (body === undefined || body === null || typeof body !== "object" || !Object.hasOwn(body, name)) return undefined;
  return (body as { readonly [name: string]: Json })[name]; // the line above checked it
}

/** The same for a non-empty text. */
export function textField(body: Json | undefined, name: string): string | null {
  const field = fieldOf(body, name);
  return typeof field === "string" && field !== "" ? field : null;
}

/** null if one part is missing. */
export function idOf(...parts: readonly (string | null)[]): string | null {
  return parts.includes(null) ? null : parts.join("/");
}
