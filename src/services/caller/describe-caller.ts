// Describes the caller of a request: its credential, its scopes, and its tenant with the quotas.
import { findKey } from "#catalog/keys.ts";
import { findTenant, type Tenant } from "#catalog/tenants.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Caller, Deps, Scope } from "../deps.ts";
import { noTenant } from "./tenants.ts";

export type DescribedCaller = {
  readonly caller: {
    readonly kind: "key" | "root";
    readonly id: string;
    readonly name: string | null;
    readonly person: string | null;
    readonly via: "key" | "session" | "token";
    readonly session: string | null;
    readonly execution: string | null;
    readonly expiresAt: number | null;
  };
  readonly tenant: Tenant | null;
  readonly scopes: readonly Scope[];
  readonly at: number;
};
export async function describeCaller(deps: Deps, caller: Caller): Promise<Result<DescribedCaller>> {
  const { actor, tenant: id, scopes } = caller;
  const [key, tenant] = await Promise.all([
    id === null || actor.kind !== "key" ? null : findKey(deps.db, id, actor.id),
    id === null ? null : findTenant(deps.db, id),
  ]);
  if (id !== null && tenant === null) return refuse(noTenant(id));
  return accept({
    caller: {
      kind: actor.kind === "root" ? "root" : "key",
      id: actor.id,
      name: key?.name ?? null,
      person: actor.person ?? null,
      via: caller.via ?? "key",
      session: caller.session ?? null,
      execution: caller.execution ?? null,
      expiresAt: caller.expiresAt ?? null,
    },
    tenant,
    scopes,
    at: deps.now(),
  });
}
