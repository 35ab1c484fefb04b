// The interface of verification schemes. A scheme reads a request and returns the claim to verify;
// src/services/hooks/verify-hook.ts does the cryptography.
import type { Json } from "#schema/json.ts";
import type { SchemeName, Verification } from "#schema/inbound/verification.ts";

export type HookRequest = {
  readonly method: string;
  /** The URL that the sender called. */
  readonly url: string;
  /** The headers; names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
};

/** A request without its body. `sender`: the sender's IP address; null if the platform does not report it. */
export type HookHead = Omit<HookRequest, "body"> & { readonly sender: string | null };

export type Digest = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

export type Claim =
  /** Valid if any signature signs any of the contents with any of the keys. */
  | {
      readonly kind: "hmac";
      readonly digest: Digest;
      readonly contents: readonly Uint8Array[];
      readonly signatures: readonly (Uint8Array | null)[];
      readonly keyOf: (key: string) => Uint8Array | null;
    }
  /** ECDSA on P-256 with SHA-256; the keys are public keys. */
  | {
      readonly kind: "ecdsa";
      readonly contents: readonly Uint8Array[];
      readonly signatures: readonly (Uint8Array | null)[];
      readonly keyOf: (key: string) => Uint8Array | null;
    }
  /** Valid if the request contains the shared secret. */
  | { readonly kind: "same"; readonly given: string; readonly expected: (secret: string) => string }
  /** Always valid: the secret is the address itself. */
  | { readonly kind: "none" };

export type SignatureClaim = {
  readonly claim: Claim;
  /** When the request was signed, in epoch ms; null if the signature covers no time. */
  readonly signedAt: number | null;
  /** SHA-256 of the body in hex, if the signature covers this digest instead of the body; otherwise null. */
  readonly bodyDigest: string | null;
};

export type Scheme<Name extends SchemeName = SchemeName> = {
  /** Present if the signature covers a form's fields. They are then parsed before verification. */
  readonly signsFields?: true;
  /** Returns the claim to verify; null if the request lacks a required part. */
  readonly claim: (request: HookRequest, settings: Extract<Verification, { scheme: Name }>) => SignatureClaim | null;
  /** Returns the sender's id of the delivery; null if the sender sends none. */
  readonly deliveryId: (request: HookRequest, body: Json) => string | null;
  /** Returns the items of a request that contains several deliveries; null for a single one. */
  readonly items?: (body: Json) => readonly Json[] | null;
  /** Returns the response to a request that only checks the address; null for other requests. */
  readonly echo?: (body: Json) => Json | null;
};

export const noDigest = { bodyDigest: null } as const;

export function header(request: HookRequest, name: string): string | null {
  return request.headers.get(name.toLowerCase())?.trim() ?? null;
}

/** Parses whole seconds into milliseconds; NaN for any other text. */
export function secondsOf(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Number.NaN;
}

/** Returns a field of an object; undefined if the field is missing or the value is no object. */
export function fieldOf(body: Json | undefined, name: string): Json | undefined {
  if (body === undefined || body === null || typeof body !== "object" || !Object.hasOwn(body, name)) return undefined;
  return (body as { readonly [name: string]: Json })[name]; // the line above checked it
}

/** Returns a field that is a non-empty text; null otherwise. */
export function textField(body: Json | undefined, name: string): string | null {
  const field = fieldOf(body, name);
  return typeof field === "string" && field !== "" ? field : null;
}

/** Joins the parts of an id; null if a part is missing. */
export function idOf(...parts: readonly (string | null)[]): string | null {
  return parts.includes(null) ? null : parts.join("/");
}
