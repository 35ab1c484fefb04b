// A browser says which page's script is calling. A tenant names the origins of its own pages; from others nothing is done.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { termsOf } from "../quotas/tenant-terms.ts";

export async function admitOrigin(deps: Deps, caller: Caller, origin: string): Promise<Result<null>> {
  const { tenant } = caller;
  if (tenant === null) return refuse(notAllowed(origin, "the root key is for no browser"));
  const { origins } = await termsOf(deps, tenant);
  if (origins === null) return refuse(unknown);
  if (origins.includes(origin)) return accept(null);
  return refuse(notAllowed(origin, `PATCH /v1/tenants/${tenant} with {"origins":[…]} and the root key lists it`));
}

function notAllowed(origin: string, way: string) {
  const message = `Browsers may not call from ${origin.slice(0, 200)}.`;
  return {
    code: "origin_not_allowed",
    message,
    hint: `${way[0]?.toUpperCase()}${way.slice(1)}.`,
    errors: [{ pointer: "Origin", code: "origin_not_allowed", message }],
  } as const;
}

const unknown = {
  code: "unavailable",
  message: "From which origins the tenant lets browsers call cannot be looked up just now.",
} as const;
