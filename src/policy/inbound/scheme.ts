// The interface of verification schemes. A scheme reads a request, and returns what must be verified (the claim).
// src/services/hooks/verify-hook.ts then does the cryptography.
import type { Json } from "#schema/json.ts";
import type { SchemeName, Verification } from "#schema/inbound/verification.ts";

export type HookRequest = {
  readonly method: string;
  /** The URL that the sender called. */
  readonly url: string;
  /** The headers by name, in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
};

/** A request without its body. `sender`: the IP address of the sender; null if the platform does not report it. */
export type HookHead = Omit<HookRequest, "body"> & { readonly sender: string | null };

export type Digest = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

export type Claim =
  /** The request is valid if one of the signatures matches one of the contents with one of the keys. */
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
  /** The request is always valid, because the secret is the URL itself. */
  | { readonly kind: "none" };

export type SignatureClaim = {
  readonly claim: Claim;
  /** The instant of the signature, in epoch ms; null if no time is signed. */
  readonly signedAt: number | null;
  /** The SHA-256 of the body in hex, if the sender signs this digest instead of the body; otherwise null. */
  readonly bodyDigest: string | null;
};

export type Scheme<Name extends SchemeName = SchemeName> = {
  /** Present if the sender signs the fields of a form. The form must then be parsed before the verification. */
  readonly signsFields?: true;
  /** Returns what must be verified; null if the request lacks a part of it, such as the signature. */
  readonly claim: (request: HookRequest, settings: Extract<Verification, { scheme: Name }>) => SignatureClaim | null;
  /** Returns the id that the sender has given to the delivery; null if there is none. */
  readonly deliveryId: (request: HookRequest, body: Json) => string | null;
  /** Returns the deliveries in a request that contains several; null if it contains one. */
  readonly items?: (body: Json) => readonly Json[] | null;
  /** Returns the response to a request that only verifies the URL, such as a challenge. null for any other request. */
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

/** Returns a field of an object. undefined if the object has no such field, or if the value is not an object. */
export function fieldOf(body: Json | undefined, name: string): Json | undefined {
  if (body === undefined || body === null || typeof body !== "object" || !Object.hasOwn(body, name)) return undefined;
  return (body as { readonly [name: string]: Json })[name]; // The line above has checked that the body is an object.
}

/** Returns a field whose value is a text that is not empty; otherwise null. */
export function textField(body: Json | undefined, name: string): string | null {
  const field = fieldOf(body, name);
  return typeof field === "string" && field !== "" ? field : null;
}

/** Joins the parts of an id with a separator; null if a part is null. */
export function idOf(...parts: readonly (string | null)[]): string | null {
  return parts.includes(null) ? null : parts.join("/");
}
