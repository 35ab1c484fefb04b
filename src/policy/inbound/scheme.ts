// The one shape of all verification schemes. A scheme reads a request and says what would have to be true for it to be
// believed; whether it is true is found out where there is cryptography (`src/services/hooks/verify-hook.ts`).
import type { Json } from "#schema/json.ts";
import type { SchemeName, Verification } from "#schema/inbound/verification.ts";

export type HookRequest = {
  readonly method: string;
  /** As the sender called it. */
  readonly url: string;
  /** By their names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
};

/** `sender`: the address that calls; null where the platform does not report it. */
export type HookHead = Omit<HookRequest, "body"> & { readonly sender: string | null };

export type Digest = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

export type Claim =
  /** One of the signatures is over one of the contents, with one of the keys. */
  | {
      readonly kind: "hmac";
      readonly digest: Digest;
      readonly contents: readonly Uint8Array[];
      readonly signatures: readonly (Uint8Array | null)[];
      readonly keyOf: (key: string) => Uint8Array | null;
    }
  /** P-256 with SHA-256; a key is a public one. */
  | {
      readonly kind: "ecdsa";
      readonly contents: readonly Uint8Array[];
      readonly signatures: readonly (Uint8Array | null)[];
      readonly keyOf: (key: string) => Uint8Array | null;
    }
  /** It says what only its sender knows. */
  | { readonly kind: "same"; readonly given: string; readonly expected: (secret: string) => string }
  /** It has found the address. */
  | { readonly kind: "none" };

export type Claimed = {
  readonly claim: Claim;
  /** When it was signed, in milliseconds; null where no time is signed. */
  readonly signedAt: number | null;
  /** SHA-256 in hex of the body, where not the body but this is signed; null where it need not be. */
  readonly bodyDigest: string | null;
};

export type Scheme<Name extends SchemeName = SchemeName> = {
  /** The signature is over a form's fields, so these are read before it is verified. */
  readonly signsFields?: true;
  /** null: the request lacks what this scheme cannot be without. */
  readonly claim: (request: HookRequest, settings: Extract<Verification, { scheme: Name }>) => Claimed | null;
  /** The sender's own id of what it delivers; null where it has none. */
  readonly deliveryId: (request: HookRequest, body: Json) => string | null;
  /** Where one request brings several: each alone. */
  readonly items?: (body: Json) => readonly Json[] | null;
  /** Where it is only asked whether somebody is there: what to say. */
  readonly echo?: (body: Json) => Json | null;
};

export const noDigest = { bodyDigest: null } as const;

export function header(request: HookRequest, name: string): string | null {
  return request.headers.get(name.toLowerCase())?.trim() ?? null;
}

/** Of whole seconds, as most senders write them; NaN for what is none. */
export function secondsOf(text: string): number {
  return /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Number.NaN;
}

/** A field of an object; undefined where there is none, and of what is no object. */
export function fieldOf(body: Json | undefined, name: string): Json | undefined {
  if (body === undefined || body === null || typeof body !== "object" || !Object.hasOwn(body, name)) return undefined;
  return (body as { readonly [name: string]: Json })[name]; // the line above saw that it is there
}

/** The same where it is a text that is not empty. */
export function textField(body: Json | undefined, name: string): string | null {
  const field = fieldOf(body, name);
  return typeof field === "string" && field !== "" ? field : null;
}

/** None where one of them is missing. */
export function idOf(...parts: readonly (string | null)[]): string | null {
  return parts.includes(null) ? null : parts.join("/");
}
