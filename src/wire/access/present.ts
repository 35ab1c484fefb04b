// The caller, sessions and short-lived tokens as API objects.
import { toInstant } from "#schema/values.ts";
import { presentTenant } from "../tenants/present.ts";
import type { ApiTenant } from "../tenants/shape.ts";
import type { ApiCallerView, ApiIssuedToken, ApiSession } from "./shape.ts";

type Moments<View, Field extends string> = Omit<View, Field> & { readonly [name in Field]: number };

export function presentSession({
  id,
  key,
  createdAt,
  expiresAt,
}: Moments<ApiSession, "createdAt" | "expiresAt">): ApiSession {
  return { id, key, createdAt: toInstant(createdAt), expiresAt: toInstant(expiresAt) };
}

type Issued = { readonly token: string; readonly scopes: readonly ApiIssuedToken["scopes"][number][] } & {
  readonly execution: string | null;
  readonly expiresAt: number;
};

export function presentToken({ token, scopes, execution, expiresAt }: Issued): ApiIssuedToken {
  return { token, scopes: [...scopes], execution, expiresAt: toInstant(expiresAt) };
}

type Me = {
  readonly caller: Omit<ApiCallerView["caller"], "expiresAt"> & { readonly expiresAt: number | null };
  readonly tenant: Parameters<typeof presentTenant>[0] | null;
  readonly scopes: readonly ApiCallerView["scopes"][number][];
  readonly at: number;
};

export function presentCaller({ caller, tenant, scopes, at }: Me): ApiCallerView {
  return {
    caller: { ...caller, expiresAt: toInstant(caller.expiresAt) },
    tenant: tenant && tenantFields(presentTenant(tenant)),
    scopes: [...scopes],
    serverTime: toInstant(at),
  };
}

function tenantFields({ id, name, suspended, limits }: ApiTenant): ApiCallerView["tenant"] {
  return { id, name, suspended, limits };
}
