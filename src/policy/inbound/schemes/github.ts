// GitHub signs the body. The delivery id stays the same after "Redeliver". It is also the same for several hooks that
// receive one event.
import { fromHex, utf8 } from "../bytes.ts";
import { header, noDigest, type Scheme } from "../scheme.ts";

const PREFIX = "sha256=";

export const github: Scheme<"github"> = {
  claim: (request) => {
    const signature = header(request, "X-Hub-Signature-256");
    if (signature === null) return null;
    const signatures = [signature.startsWith(PREFIX) ? fromHex(signature.slice(PREFIX.length)) : null];
    const claim = { kind: "hmac", digest: "SHA-256", contents: [request.body], signatures, keyOf: utf8 } as const;
    return { claim, signedAt: null, ...noDigest };
  },
  deliveryId: (request) => header(request, "X-GitHub-Delivery"),
};
