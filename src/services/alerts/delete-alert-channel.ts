// Deletes an alert channel. What is on its way already still arrives.
import { deleteAlertChannel as remove, findAlertChannel } from "#catalog/alert-channels.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { noAlertChannel, viewOf, type AlertChannelView } from "./alert-channel-view.ts";
import { auditRow } from "../upkeep/audit.ts";
import type { Caller, Deps } from "../deps.ts";
import { forgetAlertChannels } from "./find-alert-channels.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type DeleteAlertChannel = { readonly id: string; readonly reason: string | null; readonly dryRun: boolean };

export async function deleteAlertChannel(
  deps: Deps,
  caller: Caller,
  { id, reason, dryRun }: DeleteAlertChannel,
): Promise<Result<AlertChannelView>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const row = await findAlertChannel(deps.db, tenant.value, id);
  if (row === null) return refuse(noAlertChannel(id));
  if (dryRun) return accept(viewOf(row));
  const audit = auditRow(deps, { ...caller, tenant: tenant.value }, "alert-channel.delete", row.id, reason);
  await remove(deps.db, tenant.value, row.id, deps.now(), audit);
  forgetAlertChannels(tenant.value);
  return accept(viewOf(row));
}
