// Limits by key for operators: gets the use of one key, and releases it.
import type { KeyUse } from "#schema/key-limits/calls.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { recordAudit } from "../audit/audit.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { shardOf } from "./shards.ts";

export type LimitKey = { readonly name: string; readonly key: string };
/** `use`: null if nothing is stored of the key, because no run uses it. */
export type LimitUse = LimitKey & { readonly use: KeyUse | null };

export async function getLimit(deps: Deps, caller: TenantCaller, { name, key }: LimitKey): Promise<Result<LimitUse>> {
  const shard = await shardOf(caller.tenant, name, key);
  const read = await callWithRetry(() => deps.keyLimits(shard.object).readLimit(shard.key), "subject");
  return read.ok ? accept({ name, key, use: read.value }) : read;
}

export type ReleaseLimit = LimitKey & { readonly reason: string; readonly dryRun: boolean };

/** Deletes all that is stored of a key. Waiting runs ask again, and show when they first asked. */
export async function releaseLimit(
  deps: Deps,
  caller: TenantCaller,
  { name, key, reason, dryRun }: ReleaseLimit,
): Promise<Result<LimitUse & { readonly dryRun: boolean }>> {
  const shard = await shardOf(caller.tenant, name, key);
  const deleted = await callWithRetry(() => deps.keyLimits(shard.object).freeLimit(shard.key, dryRun), "subject");
  if (!deleted.ok) return deleted;
  // A key may be personal data, so the audit entry has its digest.
  if (!dryRun) await recordAudit(deps, caller, "limit.release", `limit:${name}/${shard.key}`, reason);
  return accept({ name, key, use: deleted.value, dryRun });
}
