// Lists a tenant's connections by name, all of them or one provider's.
import { listConnections as list } from "#catalog/connections.ts";
import type { Page } from "#catalog/page.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { viewOf } from "../named/named-noun.ts";
import type { ConnectionView } from "./connection-noun.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListConnections = {
  readonly provider: string | null;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listConnections(
  deps: Deps,
  caller: TenantCaller,
  { provider, cursor, limit }: ListConnections,
): Promise<Result<Page<ConnectionView>>> {
  const page = await list(deps.db, caller.tenant, provider, cursor, limit);
  return page.ok ? accept({ ...page.value, data: page.value.data.map(viewOf) }) : page;
}
