// Deletes an alert channel. What is on its way already still arrives.
import { deleteAlertChannel as remove, findAlertChannel } from "#catalog/alert-channels.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { noAlertChannel, viewOf, type AlertChannelView } from "./alert-channel-view.ts";
import { auditRow } from "../audit/record-audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetAlertChannels } from "./find-alert-channels.ts";

export type DeleteAlertChannel = { readonly id: string; readonly reason: string | null; readonly dryRun: boolean };

export async function deleteAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  { id, reason, dryRun }: DeleteAlertChannel,
): Promise<Result<AlertChannelView>> {
  const row = await findAlertChannel(deps.db, caller.tenant, id);
  if (row === null) return refuse(noAlertChannel(id));
  if (dryRun) return accept(viewOf(row));
  const audit = auditRow(deps, caller, "alert-channel.delete", row.id, reason);
  await remove(deps.db, caller.tenant, row.id, deps.now(), audit);
  forgetAlertChannels(caller.tenant);
  return accept(viewOf(row));
}
