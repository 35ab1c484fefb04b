// Creates an alert channel. What its action needs (a connection, secrets) need not be there yet: testing it shows that.
import type { AlertChannel } from "#schema/alert.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { createNamed } from "../named/create-named.ts";
import { alertChannelNoun, type AlertChannelView } from "./alert-channel-noun.ts";
import { checkAlertChannel } from "./check-alert-channel.ts";

export type CreateAlertChannel = { readonly body: AlertChannel; readonly dryRun: boolean };

export async function createAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  { body, dryRun }: CreateAlertChannel,
): Promise<Result<AlertChannelView>> {
  const checked = checkAlertChannel(deps, body);
  if (!checked.ok) return checked;
  const { name, enabled, ...settings } = body;
  return createNamed(deps, caller, alertChannelNoun, {
    name,
    complete: (row) => ({ ...row, enabled, settings }),
    dryRun,
  });
}
