// Lists a tenant's alert channels by name.
import { listAlertChannels as list } from "#catalog/alert-channels.ts";
import type { Page } from "#catalog/page.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { viewOf, type AlertChannelView } from "./alert-channel-view.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export type ListAlertChannels = { readonly cursor: string | null; readonly limit: number };

export async function listAlertChannels(
  deps: Deps,
  caller: TenantCaller,
  { cursor, limit }: ListAlertChannels,
): Promise<Result<Page<AlertChannelView>>> {
  const page = await list(deps.db, caller.tenant, cursor, limit);
  return page.ok ? accept({ ...page.value, data: page.value.data.map(viewOf) }) : page;
}
