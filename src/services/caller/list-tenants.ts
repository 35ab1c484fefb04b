// Lists all tenants, by id. Only the root key sees more than one.
import type { Page } from "#catalog/page.ts";
import { listTenants as list, type Tenant } from "#catalog/tenants.ts";
import type { Result } from "#schema/refusal.ts";
import type { Caller, Deps } from "../deps.ts";
import { rootOnly } from "./scopes.ts";

export type ListTenants = { readonly cursor: string | null; readonly limit: number };

export async function listTenants(deps: Deps, caller: Caller, input: ListTenants): Promise<Result<Page<Tenant>>> {
  const root = rootOnly(caller);
  return root.ok ? list(deps.db, input.cursor, input.limit) : root;
}
