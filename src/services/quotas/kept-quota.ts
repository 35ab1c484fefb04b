// What is said of the quotas of things that are kept: a line for operators when little room is left, and to callers
// where there is none.
import type { Kept, Room } from "#catalog/quotas.ts";
import { QUOTA_KEPT_RETRY_S, QUOTA_WARN_SHARE } from "#schema/limits/tenant-quotas.ts";
import type { KeptQuota } from "#schema/quota.ts";
import type { Refusal } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";

export function isFull({ isMade, used, max }: Kept): boolean {
  return !isMade && used >= max;
}

/** Once, by the one that goes beyond it. */
export function warnWhenNear(deps: Pick<Deps, "log">, tenant: string, quota: KeptQuota, { used, max }: Room): void {
  const warnsAt = Math.ceil(max * QUOTA_WARN_SHARE);
  if (used === warnsAt && max > 0) deps.log({ level: "warn", event: "quota_near", tenant, limit: quota, used, max });
}

export function quotaFull(quota: KeptQuota, { used, max }: Room): Refusal {
  const { what, room } = words[quota];
  return {
    code: "quota_exceeded",
    message: `This tenant has ${used} of at most ${max} ${what} (${quota}).`,
    hint: `${room} Or let whoever has the root key raise it: PATCH /v1/tenants/{id} with {"limits":{"${quota}":…}}.`,
    details: { limit: quota, used, max },
    retryAfterS: QUOTA_KEPT_RETRY_S,
  };
}

const words: { readonly [quota in KeptQuota]: { readonly what: string; readonly room: string } } = {
  definitions: {
    what: "versions of definitions",
    room: "Versions stay, archived or not: store those that differ, and not each time another.",
  },
  keys: { what: "keys that work", room: "Revoke those that nothing uses." },
  secrets: { what: "secrets", room: "Delete those that nothing uses." },
  templates: {
    what: "versions of templates",
    room: "Versions stay, archived or not: store those that differ, and not each time another.",
  },
  connections: { what: "connections", room: "Delete those that nothing uses." },
  recurring: { what: "recurring actions", room: "Delete those that have ended, or that nobody wants." },
  triggers: { what: "triggers", room: "Delete those that nobody calls." },
  alertChannels: { what: "alert channels", room: "Delete those that nobody reads." },
};
