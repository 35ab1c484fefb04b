// Lists a tenant's keys, newest first, revoked and expired ones too; never their secrets.
import { listKeys as list } from "#catalog/keys.ts";
import type { Page } from "#catalog/page.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { presentKey, type KeyView } from "./key-view.ts";

export type ListKeys = { readonly cursor: string | null; readonly limit: number };

export async function listKeys(deps: Deps, caller: TenantCaller, input: ListKeys): Promise<Result<Page<KeyView>>> {
  const page = await list(deps.db, caller.tenant, input.cursor, input.limit);
  return page.ok ? accept({ ...page.value, data: page.value.data.map(presentKey) }) : page;
}
