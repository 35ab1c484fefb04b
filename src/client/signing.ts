// Client calls about signing keys, with which receivers verify webhooks, and about the rotation of these keys.
import type { ApiRotatedSigning, ApiSigning, ApiSigningKeys, RotateSigningBody } from "#wire/signing/shape.ts";
import type { CallOptions, Send } from "./request.ts";

type Receiver = { readonly url: string } | { readonly endpoint: string };

export function signing(send: Send) {
  return {
    get: () => send<ApiSigning>({ method: "GET", path: ["v1", "signing"] }),
    /** Returns the signing keys with which one receiver verifies webhooks. */
    keys: (receiver: Receiver) =>
      send<ApiSigningKeys>({ method: "GET", path: ["v1", "signing-keys"], query: receiver }),
    rotate: (body: RotateSigningBody, call?: CallOptions) =>
      send<ApiRotatedSigning>({ method: "POST", path: ["v1", "signing-keys", "rotate"], body }, call),
  };
}
