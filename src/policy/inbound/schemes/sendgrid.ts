// SendGrid's event webhook signs the time and the body with a private key. The secret that is stored here is the public
// key. A request contains a list of events, each with an id.
import { fromBase64, fromDer, joinBytes } from "../bytes.ts";
import { header, noDigest, secondsOf, textField, type Scheme } from "../scheme.ts";

export const sendgrid: Scheme<"sendgrid"> = {
  claim: (request) => {
    const signature = header(request, "X-Twilio-Email-Event-Webhook-Signature");
    const at = header(request, "X-Twilio-Email-Event-Webhook-Timestamp");
    if (signature === null || at === null) return null;
    const der = fromBase64(signature);
    const signatures = [der && fromDer(der)];
    const claim = { kind: "ecdsa", contents: [joinBytes(at, request.body)], signatures, keyOf: fromBase64 } as const;
    return { claim, signedAt: secondsOf(at), ...noDigest };
  },
  deliveryId: (_request, body) => textField(body, "sg_event_id"),
  items: (body) => (Array.isArray(body) ? body : null),
};
