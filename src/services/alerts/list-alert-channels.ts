// Lists a tenant's alert channels by name.
import { alertChannelRows } from "#catalog/alert-channels.ts";
import { listNamed } from "#catalog/named.ts";
import type { Page } from "#catalog/page.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { viewOf } from "../named/named-noun.ts";
import type { AlertChannelView } from "./alert-channel-noun.ts";

export type ListAlertChannels = { readonly cursor: string | null; readonly limit: number };

export async function listAlertChannels(
  deps: Deps,
  caller: TenantCaller,
  { cursor, limit }: ListAlertChannels,
): Promise<Result<Page<AlertChannelView>>> {
  const page = await listNamed(deps.db, alertChannelRows, caller.tenant, cursor, limit);
  return page.ok ? accept({ ...page.value, data: page.value.data.map((row) => viewOf(row)) }) : page;
}
