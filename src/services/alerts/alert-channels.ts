// Alert channels: creates, finds, lists and updates them.
import { alertChannelRows, type StoredAlertChannel, openAlertChannels } from "#catalog/alert-channels.ts";
import { type AlertChannel, alertChannel } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import type { Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { dropCached, openIsolateCache, readCached } from "../isolate-cache.ts";
import { changeNamed, patchNamed } from "../named/change-named.ts";
import { createNamed } from "../named/create-named.ts";
import { findNamed } from "../named/find-named.ts";
import { findByRef, listOf, type NamedNoun, type NamedView } from "../named/named-noun.ts";
import { putNamed, tagOf, type NamedBodies, type WriteOutcome, type PutNamed } from "../named/put-named.ts";
import { checkAlertChannel } from "./check-alert-channel.ts";

export type AlertChannelView = NamedView<StoredAlertChannel>;

export const alertChannelNoun: NamedNoun<StoredAlertChannel> = {
  word: "alert channel",
  one: "an alert channel",
  verb: "alert-channel",
  idPrefix: "alc",
  rows: alertChannelRows,
  find: findByRef(alertChannelRows, "alc"),
  quota: "alertChannels",
  evict: evictAlertChannels,
};

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

const channelCache = openIsolateCache<readonly StoredAlertChannel[]>({
  sizeMax: isolateCaches.alertChannels.sizeMax,
  freshMs: () => isolateCaches.alertChannels.freshMs,
  staleMs: () => isolateCaches.alertChannels.staleMs,
});

/**
 * Returns the tenant's enabled channels, cached in this isolate. Throws if the catalog does not answer and nothing is
 * cached.
 */
export function findAlertChannels(
  deps: Pick<Deps, "db" | "now">,
  tenant: string,
): Promise<readonly StoredAlertChannel[]> {
  return readCached(channelCache, tenant, deps.now, () => openAlertChannels(deps.db, tenant));
}

/** Evicts the tenant's channels from this isolate's cache after one was changed. */
export function evictAlertChannels(tenant: string): void {
  dropCached(channelCache, (_rows, key) => key === tenant);
}

export const listAlertChannels = listOf(alertChannelRows);

export type UpdateAlertChannel = {
  readonly ref: string;
  readonly patch: JsonObject;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function updateAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  { ref, patch, reason, dryRun }: UpdateAlertChannel,
): Promise<Result<AlertChannelView>> {
  const found = await findNamed(deps, caller, alertChannelNoun, ref);
  if (!found.ok) return found;
  const row = found.value;
  const patched = patchNamed("alert channel", alertChannel, alertChannelAsWritten(row), patch);
  return patched.ok ? replaceAlertChannel(deps, caller, row, { body: patched.value, reason, dryRun }) : patched;
}

export function alertChannelAsWritten({ name, enabled, settings }: Omit<AlertChannelView, "id">): JsonObject {
  return { name, ...settings, enabled } as JsonObject; // The stored settings are parsed JSON.
}

export const alertChannelBodies: NamedBodies<StoredAlertChannel, AlertChannel> = {
  noun: alertChannelNoun,
  schema: alertChannel,
  asWritten: alertChannelAsWritten,
  create: createAlertChannel,
  replace: replaceAlertChannel,
};

export function putAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  input: PutNamed,
): Promise<Result<WriteOutcome<AlertChannelView>>> {
  return putNamed(deps, caller, alertChannelBodies, input);
}

export function alertChannelTag(view: AlertChannelView): Promise<string> {
  return tagOf(alertChannelAsWritten(view));
}

type ReplaceAlertChannel = CreateAlertChannel & { readonly reason: string | null };

async function replaceAlertChannel(
  deps: Deps,
  caller: TenantCaller,
  row: StoredAlertChannel,
  { body, reason, dryRun }: ReplaceAlertChannel,
): Promise<Result<AlertChannelView>> {
  const checked = checkAlertChannel(deps, body);
  if (!checked.ok) return checked;
  const { name, enabled, ...settings } = body;
  return changeNamed(deps, caller, alertChannelNoun, { row, change: { name, enabled, settings }, reason, dryRun });
}
