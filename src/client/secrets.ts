// Client calls about secrets: set a secret, and restrict it to hosts. The API never returns a secret's value.
import type {
  ApiChangedSecret,
  ApiReencrypted,
  ApiSecret,
  BindSecretBody,
  SetSecretBody,
} from "#wire/secrets/shape.ts";
import type { Page } from "#wire/query.ts";
import type { CallOptions, Send } from "./request.ts";

type PageOptions = { readonly cursor?: string; readonly limit?: number };

export function secrets(send: Send) {
  return {
    set: (name: string, body: SetSecretBody, call?: CallOptions) =>
      send<ApiChangedSecret>({ method: "PUT", path: ["v1", "secrets", name], body }, call),
    /** Restricts a stored secret to hosts. The request does not contain the secret's value. */
    bind: (name: string, body: BindSecretBody, call?: CallOptions) =>
      send<ApiChangedSecret>({ method: "PATCH", path: ["v1", "secrets", name], body }, call),
    list: (query: PageOptions = {}) =>
      send<Page<ApiSecret>>({ method: "GET", path: ["v1", "secrets"], query: { ...query } }),
    delete: (name: string, reason?: string, call?: CallOptions) =>
      send<ApiChangedSecret>({ method: "DELETE", path: ["v1", "secrets", name], query: { reason } }, call),
    /**
     * Encrypts one page of secrets again, with the installation's current encryption key. Repeat the call with
     * `nextCursor` until it is null.
     */
    reencrypt: (query: PageOptions = {}, call?: CallOptions) =>
      send<ApiReencrypted>({ method: "POST", path: ["v1", "secrets", "reencrypt"], query: { ...query } }, call),
  };
}
