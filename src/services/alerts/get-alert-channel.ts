// Reads one alert channel.
import { findAlertChannel } from "#catalog/alert-channels.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { noAlertChannel, viewOf, type AlertChannelView } from "./alert-channel-view.ts";
import type { Caller, Deps } from "../deps.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export async function getAlertChannel(
  deps: Deps,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<Result<AlertChannelView>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const row = await findAlertChannel(deps.db, tenant.value, id);
  return row === null ? refuse(noAlertChannel(id)) : accept(viewOf(row));
}
