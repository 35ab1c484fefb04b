// Creates an alert channel. What its action needs (a connection, secrets) need not be there yet: testing it shows that.
import { alertChannelNamed, countAlertChannels, insertAlertChannel } from "#catalog/alert-channels.ts";
import type { AlertChannel } from "#schema/alert.ts";
import { limits } from "#schema/limits.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { nameTaken, viewOf, type AlertChannelView } from "./alert-channel-view.ts";
import { auditRow } from "../upkeep/audit.ts";
import { checkAlertChannel } from "./check-alert-channel.ts";
import type { Caller, Deps } from "../deps.ts";
import { forgetAlertChannels } from "./find-alert-channels.ts";
import { timeOrderedId } from "../cells/placement.ts";
import { tenantOf } from "../caller/tenant-of.ts";

export type CreateAlertChannel = { readonly body: AlertChannel; readonly dryRun: boolean };

export async function createAlertChannel(
  deps: Deps,
  caller: Caller,
  { body, dryRun }: CreateAlertChannel,
): Promise<Result<AlertChannelView>> {
  const tenant = tenantOf(caller);
  if (!tenant.ok) return tenant;
  const checked = checkAlertChannel(deps, body);
  if (!checked.ok) return checked;
  if ((await countAlertChannels(deps.db, tenant.value)) >= limits.alertChannelsMax) return refuse(tooMany);
  const { name, enabled, ...settings } = body;
  const now = deps.now();
  const id = timeOrderedId("alc", now, deps.randomBytes(10));
  const row = { tenant: tenant.value, id, name, enabled, createdAt: now, updatedAt: now, deletedAt: null, settings };
  if (dryRun) {
    const isTaken = (await alertChannelNamed(deps.db, tenant.value, name)) !== null;
    return isTaken ? refuse(nameTaken(name)) : accept(viewOf(row));
  }
  const audit = auditRow(deps, { ...caller, tenant: tenant.value }, "alert-channel.create", id);
  if (!(await insertAlertChannel(deps.db, row, audit))) return refuse(nameTaken(name));
  forgetAlertChannels(tenant.value);
  return accept(viewOf(row));
}

const tooMany = {
  code: "limit_exceeded",
  message: `A tenant has at most ${limits.alertChannelsMax} alert channels (alertChannelsMax).`,
  hint: "Delete those that nobody reads.",
  errors: [{ pointer: "", code: "limit_exceeded", message: "would be one alert channel too many" }],
  details: { field: "alertChannels", limit: limits.alertChannelsMax },
} as const;
