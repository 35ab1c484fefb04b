// The one key that all of a tenant's receivers verify with, for tenants that still have it.
import { generationsOf } from "#policy/gates/signing.ts";
import { TENANT_WIDE } from "#schema/outgoing/signing.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findRotations } from "./find-rotations.ts";

export type SigningSecrets = { readonly secret: string; readonly previous: readonly string[] };

export async function getSigningSecret(deps: Deps, caller: TenantCaller): Promise<Result<SigningSecrets>> {
  const [secret, ...previous] = await deps.signingSecrets(caller.tenant, null);
  if (secret === undefined) return signsNothing();
  const { tenant } = await findRotations(deps.db, caller.tenant);
  const signs = generationsOf({ tenant, endpoint: null }, deps.now());
  if (signs.some(({ generation }) => generation === TENANT_WIDE)) return accept({ secret, previous });
  return refuse({
    code: "not_found",
    message: "No one key signs all of this tenant's webhooks: each receiver has its own.",
    hint: "GET /v1/signing-keys?url=… (or ?endpoint=…) tells a receiver's.",
  });
}

export function signsNothing() {
  return refuse({
    code: "not_found",
    message: "This installation signs no webhooks.",
    hint: "Set the Worker secret SIGNING_KEY (wrangler secret put SIGNING_KEY) and webhooks are signed from then on.",
  });
}
