// Lists a tenant's connections by name, all of them or one provider's.
import { listConnections as list } from "#catalog/connections.ts";
import type { Page } from "#catalog/page.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { viewOf, type ConnectionView } from "./connection-view.ts";
import type { Caller, Deps } from "../deps.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type ListConnections = {
  readonly provider: string | null;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listConnections(
  deps: Deps,
  caller: Caller,
  { provider, cursor, limit }: ListConnections,
): Promise<Result<Page<ConnectionView>>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const page = await list(deps.db, tenant.value, provider, cursor, limit);
  return page.ok ? accept({ ...page.value, data: page.value.data.map(viewOf) }) : page;
}
