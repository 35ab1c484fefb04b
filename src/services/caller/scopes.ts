// What a caller may do, by its scopes and by who it is: the one place that says no for that reason. It is asked before
// anything is looked up, so that the refusal tells nothing else.
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Caller, Scope } from "../deps.ts";

/** What the table of endpoints asks for. */
export function mayCall(caller: Caller, scope: Scope): Result<null> {
  if (caller.scopes.includes(scope)) return accept(null);
  return refuse({
    code: "scope_missing",
    message: `This needs a key with the scope ${scope}; this one has ${caller.scopes.join(", ") || "none"}.`,
    hint: "Scopes do not imply each other: create a key that has this one, too.",
    details: { scope },
  });
}

/** A config names the secrets it sends and where they go: whoever may only repeat what was written writes none. */
export function mayRetryWith(caller: Caller, config: JsonObject | null): Result<null> {
  if (config === null || caller.scopes.includes("write")) return accept(null);
  return refuse({
    code: "scope_missing",
    message: "A retry with another config needs a key with the scope write, too.",
    hint: "Without config, the same is sent again; variables may be changed.",
    errors: [{ pointer: "/config", code: "scope_missing", message: "needs the scope write" }],
    details: { scope: "write" },
  });
}

export function rootOnly(caller: Caller): Result<null> {
  if (caller.actor.kind === "root") return accept(null);
  return refuse({ code: "scope_missing", message: "Only the root key may do this." });
}

/** Of a tenant that is not the caller's nobody but the root key learns that there is one. */
export function rootOnlyFor(caller: Caller, tenant: string): Result<null> {
  if (caller.actor.kind === "root" || caller.tenant === tenant) return rootOnly(caller);
  return refuse({ code: "not_found", message: `There is no tenant "${tenant}".` });
}
