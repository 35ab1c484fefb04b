// Limits by key for operators: gets the use of one key, and releases it.
import type { KeyUse } from "#schema/key-limits/calls.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { recordAudit } from "../audit/audit.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { wakeStarts } from "../executions/start-places.ts";
import { shardOf, startShardOf } from "./shards.ts";

/** `of`: whether the limit counts runs of actions or starts of definitions. */
export type LimitKey = { readonly name: string; readonly key: string; readonly of: "runs" | "starts" };
/** `use`: null if nothing is stored of the key, because no run uses it. */
export type LimitUse = LimitKey & { readonly use: KeyUse | null };

export async function getLimit(deps: Deps, caller: TenantCaller, limit: LimitKey): Promise<Result<LimitUse>> {
  const shard = await shardOfLimit(caller.tenant, limit);
  const read = await callWithRetry(() => deps.keyLimits(shard.object).readLimit(shard.key), "subject");
  return read.ok ? accept({ ...limit, use: read.value }) : read;
}

export type ReleaseLimit = LimitKey & { readonly reason: string; readonly dryRun: boolean };

/** Deletes all that is stored of a key. Those that wait ask again, and show when they first asked. */
export async function releaseLimit(
  deps: Deps,
  caller: TenantCaller,
  { reason, dryRun, ...limit }: ReleaseLimit,
): Promise<Result<LimitUse & { readonly dryRun: boolean }>> {
  const { name, of } = limit;
  const shard = await shardOfLimit(caller.tenant, limit);
  const deleted = await callWithRetry(() => deps.keyLimits(shard.object).freeLimit(shard.key, dryRun), "subject");
  if (!deleted.ok) return deleted;
  // A key may be personal data, so the audit entry has its digest.
  if (!dryRun) await recordAudit(deps, caller, "limit.release", `limit:${name}/${shard.key}`, reason);
  const waiting = deleted.value?.next.map(({ run }) => run) ?? [];
  if (of === "starts" && !dryRun) await wakeStarts(deps, caller.tenant, waiting);
  return accept({ ...limit, use: deleted.value, dryRun });
}

function shardOfLimit(tenant: string, { name, key, of }: LimitKey) {
  return of === "starts" ? startShardOf(tenant, name, key) : shardOf(tenant, name, key);
}
