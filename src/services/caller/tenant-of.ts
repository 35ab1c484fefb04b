// Which tenant a call is about. It comes from the credential; only the root key has to name one.
import type { Caller } from "../deps.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";

export function tenantOf(caller: Caller): Result<string> {
  if (caller.tenant !== null) return accept(caller.tenant);
  return refuse({
    code: "invalid_input",
    message: "The root key belongs to no tenant, so the request must name one.",
    hint: "Send the header X-Tenant: <tenant id>, or use a key of that tenant.",
    errors: [{ pointer: "X-Tenant", code: "required", message: "is missing" }],
  });
}
