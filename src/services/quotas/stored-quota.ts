// Quota messages for stored resources: a log line for operators when the quota is nearly used up, and a refusal for
// clients when it is used up.
import type { InsertResult, QuotaUse } from "#catalog/quotas.ts";
import { QUOTA_STORED_RETRY_S, QUOTA_WARN_SHARE } from "#schema/limits/tenants/tenant-quotas.ts";
import type { StoredQuota } from "#schema/quota.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";

export function isFull({ isMade, used, max }: InsertResult): boolean {
  return !isMade && used >= max;
}

/** Logs a warning when usage crosses the threshold. Only the request that crosses it logs, so there is one line. */
export function warnWhenNear(
  deps: Pick<Deps, "log">,
  tenant: string,
  quota: StoredQuota,
  { used, max }: QuotaUse,
): void {
  const warnsAt = Math.ceil(max * QUOTA_WARN_SHARE);
  if (used === warnsAt && max > 0) deps.log({ level: "warn", event: "quota_near", tenant, limit: quota, used, max });
}

export function quotaFull(quota: StoredQuota, { used, max }: QuotaUse): Refusal {
  const { what, room } = quotaWords[quota];
  return {
    code: "quota_exceeded",
    message: `This tenant has ${used} ${what}; the limit is ${max} (${quota}).`,
    hint: `${room} Or raise the limit with the root key: PATCH /v1/tenants/{id} with {"limits":{"${quota}":…}}.`,
    details: { limit: quota, used, max },
    retryAfterS: QUOTA_STORED_RETRY_S,
  };
}

const quotaWords: { readonly [quota in StoredQuota]: { readonly what: string; readonly room: string } } = {
  definitions: {
    what: "versions of definitions",
    room: "Versions are never deleted: store a version only if its content differs.",
  },
  keys: { what: "active keys", room: "Revoke keys that are not used." },
  secrets: { what: "secrets", room: "Delete secrets that are not used." },
  templates: {
    what: "versions of templates",
    room: "Versions are never deleted: store a version only if its content differs.",
  },
  connections: { what: "connections", room: "Delete connections that are not used." },
  recurring: { what: "recurring actions", room: "Delete recurring actions that have ended or are not used." },
  triggers: { what: "triggers", room: "Delete triggers that are not used." },
  suppressions: { what: "suppressed addresses", room: "Delete addresses that may get messages again." },
  calendars: { what: "calendars", room: "Delete calendars that are not used." },
  policies: { what: "policies", room: "Delete policies that are not used." },
  alertChannels: { what: "alert channels", room: "Delete alert channels that are not used." },
};
