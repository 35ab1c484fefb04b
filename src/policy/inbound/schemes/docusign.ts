// DocuSign Connect signs the body with every key of the account. A message contains its time of creation, which is the
// same when the message is sent again.
import { fromBase64, utf8 } from "../bytes.ts";
import { fieldOf, idOf, noDigest, textField, type Scheme } from "../scheme.ts";

export const docusign: Scheme<"docusign"> = {
  claim: (request) => {
    const named = [...request.headers].filter(([name]) => /^x-docusign-signature-\d{1,3}$/.test(name));
    if (named.length === 0) return null;
    const signatures = named.map(([, signature]) => fromBase64(signature.trim()));
    const claim = { kind: "hmac", digest: "SHA-256", contents: [request.body], signatures, keyOf: utf8 } as const;
    return { claim, signedAt: null, ...noDigest };
  },
  deliveryId: (_request, body) => {
    const data = fieldOf(body, "data");
    const person = textField(data, "recipientId");
    const parts = [textField(data, "envelopeId"), ...(person === null ? [] : [person])];
    return idOf(...parts, textField(body, "event"), textField(body, "generatedDateTime"));
  },
};
