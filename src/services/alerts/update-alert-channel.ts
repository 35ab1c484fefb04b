// Changes an alert channel by merging (RFC 7396: null removes); what comes out is checked whole, like a new one.
import { alertChannelNamed, findAlertChannel, replaceAlertChannel } from "#catalog/alert-channels.ts";
import { mergePatch } from "#kernel/language/merge-patch.ts";
import { alertChannel } from "#schema/alert.ts";
import { zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { nameTaken, noAlertChannel, viewOf, type AlertChannelView } from "./alert-channel-view.ts";
import { auditRow } from "../audit/record-audit.ts";
import { checkAlertChannel, invalidAlertChannel } from "./check-alert-channel.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { forgetAlertChannels } from "./find-alert-channels.ts";

export type UpdateAlertChannel = {
  readonly id: string;
  readonly patch: JsonObject;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function updateAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  { id, patch, reason, dryRun }: UpdateAlertChannel,
): Promise<Result<AlertChannelView>> {
  const row = await findAlertChannel(deps.db, caller.tenant, id);
  if (row === null) return refuse(noAlertChannel(id));
  const before = { ...row.settings, name: row.name, enabled: row.enabled } as JsonObject; // parsed JSON
  const parsed = alertChannel.safeParse(mergePatch(before, patch));
  if (!parsed.success) return refuse(invalidAlertChannel(zodFindings(parsed.error, alertChannel)));
  const checked = checkAlertChannel(deps, parsed.data);
  if (!checked.ok) return checked;
  const { name, enabled, ...settings } = parsed.data;
  if (name !== row.name && (await alertChannelNamed(deps.db, caller.tenant, name)) !== null)
    return refuse(nameTaken(name));
  // Strictly later, so that of two changes that read the same row one is refused.
  const changed = { ...row, name, enabled, settings, updatedAt: Math.max(deps.now(), row.updatedAt + 1) };
  if (dryRun) return accept(viewOf(changed));
  const audit = auditRow(deps, caller, "alert-channel.update", row.id, reason);
  if (!(await replaceAlertChannel(deps.db, changed, row.updatedAt, audit))) return refuse(changedMeanwhile);
  forgetAlertChannels(caller.tenant);
  return accept(viewOf(changed));
}

const changedMeanwhile = {
  code: "unavailable",
  message: "The alert channel was changed by somebody else just now.",
  hint: "Read it and send the change again.",
} as const;
