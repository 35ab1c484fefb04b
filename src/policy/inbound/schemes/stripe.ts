// Stripe signs the time and the body. While a secret is rotated, a request has several signatures.
import { fromHex, joinBytes, utf8 } from "../bytes.ts";
import { header, noDigest, secondsOf, textField, type Scheme } from "../scheme.ts";

export const stripe: Scheme<"stripe"> = {
  claim: (request) => {
    const pieces = header(request, "Stripe-Signature")?.split(",") ?? [];
    const valuesOf = (name: string) =>
      pieces.flatMap((piece) => (piece.trim().startsWith(`${name}=`) ? [piece.trim().slice(name.length + 1)] : []));
    const [at] = valuesOf("t");
    if (at === undefined) return null;
    const contents = [joinBytes(`${at}.`, request.body)];
    const claim = {
      kind: "hmac",
      digest: "SHA-256",
      contents,
      signatures: valuesOf("v1").map(fromHex),
      keyOf: utf8,
    } as const;
    return { claim, signedAt: secondsOf(at), ...noDigest };
  },
  deliveryId: (_request, body) => textField(body, "id"),
};
