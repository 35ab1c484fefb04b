// Changes an alert channel by merging (RFC 7396: null removes); what comes out is checked whole, like a new one.
import { mergePatch } from "#kernel/language/merge-patch.ts";
import { alertChannel } from "#schema/alert.ts";
import { zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { changeNamed } from "../named/change-named.ts";
import { findNamed } from "../named/find-named.ts";
import { alertChannelNoun, type AlertChannelView } from "./alert-channel-noun.ts";
import { checkAlertChannel, invalidAlertChannel } from "./check-alert-channel.ts";

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
  const found = await findNamed(deps, caller, alertChannelNoun, id);
  if (!found.ok) return found;
  const row = found.value;
  const before = { ...row.settings, name: row.name, enabled: row.enabled } as JsonObject; // parsed JSON
  const parsed = alertChannel.safeParse(mergePatch(before, patch));
  if (!parsed.success) return refuse(invalidAlertChannel(zodFindings(parsed.error, alertChannel)));
  const checked = checkAlertChannel(deps, parsed.data);
  if (!checked.ok) return checked;
  const { name, enabled, ...settings } = parsed.data;
  return changeNamed(deps, caller, alertChannelNoun, { row, change: { name, enabled, settings }, reason, dryRun });
}
