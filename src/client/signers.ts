// Client calls about the blockchain addresses of a tenant.
import type { ApiReconciledSigner, ApiSigner, ReconcileBody } from "#wire/signers/shape.ts";
import type { CallOptions, Send } from "./request.ts";

/** `chain` in these calls: the chain's id, or a known name such as base. */
export function signers(send: Send) {
  const of = (chain: string | number, address: string): string[] => ["v1", "signers", String(chain), address];
  return {
    get: (chain: string | number, address: string) => send<ApiSigner>({ method: "GET", path: of(chain, address) }),
    reconcile: (chain: string | number, address: string, body: ReconcileBody, call?: CallOptions) =>
      send<ApiReconciledSigner>({ method: "POST", path: [...of(chain, address), "reconcile"], body }, call),
  };
}
