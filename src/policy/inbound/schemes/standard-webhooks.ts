// Standard Webhooks, and its predecessor Svix: the sender signs the id, the time and the body with each of its keys.
import { fromBase64, joinBytes } from "../bytes.ts";
import { header, noDigest, secondsOf, type HookRequest, type Scheme } from "../scheme.ts";

export const standardWebhooks: Scheme<"standard_webhooks"> = {
  claim: (request) => {
    const [id, at, signatures] = [
      webhookHeader(request, "id"),
      webhookHeader(request, "timestamp"),
      webhookHeader(request, "signature"),
    ];
    if (id === null || at === null || signatures === null) return null;
    const claim = {
      kind: "hmac",
      digest: "SHA-256",
      contents: [joinBytes(`${id}.${at}.`, request.body)],
      signatures: signatures.split(" ").map((each) => (each.startsWith("v1,") ? fromBase64(each.slice(3)) : null)),
      keyOf: (key: string) => fromBase64(key.replace(/^whsec_/, "")),
    } as const;
    return { claim, signedAt: secondsOf(at), ...noDigest };
  },
  deliveryId: (request) => webhookHeader(request, "id"),
};

function webhookHeader(request: HookRequest, field: string): string | null {
  return header(request, `webhook-${field}`) ?? header(request, `svix-${field}`);
}
