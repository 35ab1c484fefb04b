// A configurable HMAC scheme, for senders that sign in a way of their own.
import type { Verification } from "#schema/inbound/verification.ts";
import { fromBase64, fromBase64Url, fromHex, joinBytes, utf8 } from "../bytes.ts";
import { header, noDigest, secondsOf, type Digest, type HookRequest, type Scheme } from "../scheme.ts";

type Settings = Extract<Verification, { scheme: "hmac" }>;

export const hmac: Scheme<"hmac"> = {
  claim: (request, settings) => {
    const at = signedTime(request, settings);
    const signatures = headerPieces(request, settings.header, settings.prefix, settings.separator);
    if (at === null || signatures.length === 0) return null;
    const claim = {
      kind: "hmac",
      digest: digests[settings.algorithm],
      contents: [signedContent(request, settings.signed, at)],
      signatures: signatures.map(decoders[settings.encoding]),
      keyOf: keys[settings.keyEncoding],
    } as const;
    const unit = settings.timestamp?.unit;
    return { claim, signedAt: unit === undefined ? null : units[unit](at), ...noDigest };
  },
  deliveryId: () => null,
};

const digests = { sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" } as const satisfies {
  readonly [algorithm in Settings["algorithm"]]: Digest;
};
const decoders = { hex: fromHex, base64: fromBase64, base64url: fromBase64Url } as const;
const keys = { text: utf8, hex: fromHex, base64: fromBase64 } as const;
const units = {
  s: secondsOf,
  ms: (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN),
  iso: (text: string) => Date.parse(text),
} as const;

/**
 * Returns the signed time as text. Empty if the scheme signs no time; null if the scheme requires a time and the
 * request has none.
 */
function signedTime(request: HookRequest, { timestamp, separator }: Settings): string | null {
  if (timestamp === undefined) return "";
  return headerPieces(request, timestamp.header, timestamp.prefix, separator)[0] ?? null;
}

/**
 * Returns the values of the header without their prefix. A value without the prefix is a signature of another kind, so
 * it is left out.
 */
function headerPieces(request: HookRequest, name: string, prefix = "", separator?: string): readonly string[] {
  const whole = header(request, name);
  if (whole === null) return [];
  const pieces = separator === undefined ? [whole] : whole.split(separator).map((piece) => piece.trim());
  return pieces.flatMap((piece) => (piece.startsWith(prefix) ? [piece.slice(prefix.length)] : []));
}

const BODY = "{body}";

function signedContent(request: HookRequest, template: string, time: string): Uint8Array {
  const at = template.indexOf(BODY);
  const filled = (text: string): string =>
    text.replaceAll(
      /\{(timestamp|method|url|header:([A-Za-z0-9_-]+))\}/g,
      (_whole, placeholder: string, name?: string) => {
        if (name !== undefined) return header(request, name) ?? "";
        return placeholder === "timestamp" ? time : placeholder === "method" ? request.method : request.url;
      },
    );
  return joinBytes(filled(template.slice(0, at)), request.body, filled(template.slice(at + BODY.length)));
}
