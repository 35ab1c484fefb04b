// Creates an alert channel. What its action needs (a connection, secrets) need not be there yet: testing it shows that.
import { alertChannelNamed, countAlertChannels, insertAlertChannel } from "#catalog/alert-channels.ts";
import type { AlertChannel } from "#schema/alert.ts";
import { limits } from "#schema/limits.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { nameTaken, viewOf, type AlertChannelView } from "./alert-channel-view.ts";
import { auditRow } from "../audit/record-audit.ts";
import { checkAlertChannel } from "./check-alert-channel.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetAlertChannels } from "./find-alert-channels.ts";
import { timeOrderedId } from "#schema/ids.ts";

export type CreateAlertChannel = { readonly body: AlertChannel; readonly dryRun: boolean };

export async function createAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: CreateAlertChannel,
): Promise<Result<AlertChannelView>> {
  const checked = checkAlertChannel(deps, body);
  if (!checked.ok) return checked;
  if ((await countAlertChannels(deps.db, caller.tenant)) >= limits.alertChannelsMax) return refuse(tooMany);
  const { name, enabled, ...settings } = body;
  const now = deps.now();
  const id = timeOrderedId("alc", now, deps.randomBytes(10));
  const row = { tenant: caller.tenant, id, name, enabled, createdAt: now, updatedAt: now, deletedAt: null, settings };
  if (dryRun) {
    const isTaken = (await alertChannelNamed(deps.db, caller.tenant, name)) !== null;
    return isTaken ? refuse(nameTaken(name)) : accept(viewOf(row));
  }
  const audit = auditRow(deps, caller, "alert-channel.create", id);
  if (!(await insertAlertChannel(deps.db, row, audit))) return refuse(nameTaken(name));
  forgetAlertChannels(caller.tenant);
  return accept(viewOf(row));
}

const tooMany = {
  code: "limit_exceeded",
  message: `A tenant has at most ${limits.alertChannelsMax} alert channels (alertChannelsMax).`,
  hint: "Delete those that nobody reads.",
  errors: [{ pointer: "", code: "limit_exceeded", message: "would be one alert channel too many" }],
  details: { field: "alertChannels", limit: limits.alertChannelsMax },
} as const;
