// What a tenant's receivers verify webhook signatures with.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type SigningSecrets = { readonly secret: string; readonly previous: readonly string[] };

export async function getSigningSecret(deps: Deps, caller: TenantCaller): Promise<Result<SigningSecrets>> {
  const [secret, ...previous] = await deps.signingSecrets(caller.tenant);
  if (secret !== undefined) return accept({ secret, previous });
  return refuse({
    code: "not_found",
    message: "This installation signs no webhooks.",
    hint: "Set the Worker secret SIGNING_KEY (wrangler secret put SIGNING_KEY) and webhooks are signed from then on.",
  });
}
