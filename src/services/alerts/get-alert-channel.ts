// Reads one alert channel.
import { findAlertChannel } from "#catalog/alert-channels.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { noAlertChannel, viewOf, type AlertChannelView } from "./alert-channel-view.ts";
import type { TenantCaller, Deps } from "../deps.ts";

export async function getAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  { id }: { readonly id: string },
): Promise<Result<AlertChannelView>> {
  const row = await findAlertChannel(deps.db, caller.tenant, id);
  return row === null ? refuse(noAlertChannel(id)) : accept(viewOf(row));
}
