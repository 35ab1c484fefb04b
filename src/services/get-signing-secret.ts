// What a tenant's receivers verify webhook signatures with.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "./deps.ts";
import { tenantOf } from "./tenant-of.ts";

export async function getSigningSecret(deps: Deps, caller: Caller): Promise<Result<string>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const secret = await deps.signingSecret(tenant.value);
  if (secret !== null) return accept(secret);
  return refuse({
    code: "not_found",
    message: "This installation signs no webhooks.",
    hint: "Set the Worker secret SIGNING_KEY (wrangler secret put SIGNING_KEY) and webhooks are signed from then on.",
  });
}
