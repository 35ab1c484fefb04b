// Slack signs the time and the body. Slack sends a challenge to a new URL, and the response must contain it.
import { fromHex, joinBytes, utf8 } from "../bytes.ts";
import { header, noDigest, secondsOf, textField, type Scheme } from "../scheme.ts";

const PREFIX = "v0=";

export const slack: Scheme<"slack"> = {
  claim: (request) => {
    const signature = header(request, "X-Slack-Signature");
    const at = header(request, "X-Slack-Request-Timestamp");
    if (signature === null || at === null) return null;
    const signatures = [signature.startsWith(PREFIX) ? fromHex(signature.slice(PREFIX.length)) : null];
    const contents = [joinBytes(`v0:${at}:`, request.body)];
    const claim = { kind: "hmac", digest: "SHA-256", contents, signatures, keyOf: utf8 } as const;
    return { claim, signedAt: secondsOf(at), ...noDigest };
  },
  deliveryId: (_request, body) => textField(body, "event_id"),
  echo: (body) => {
    const challenge = textField(body, "challenge");
    return textField(body, "type") === "url_verification" && challenge !== null ? { challenge } : null;
  },
};
