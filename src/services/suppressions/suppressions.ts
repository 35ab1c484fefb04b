// Suppressions for clients: adds, lists, gets and deletes suppressed addresses. A deleted address gets messages again.
import {
  addReasons,
  deleteSuppression as remove,
  findSuppressed,
  findSuppression,
  listSuppressions as list,
  suppressionsUse,
  type NewSuppression,
  type StoredSuppression,
  type SuppressionFilters,
} from "#catalog/suppressions/suppressed-addresses.ts";
import type { Page } from "#catalog/page.ts";
import type { JsonObject } from "#schema/json.ts";
import type { SuppressionChannel, SuppressionReason } from "#schema/outgoing/suppression.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { quotaFull, warnWhenNear } from "../quotas/stored-quota.ts";
import { noAddress } from "./add-suppression.ts";
import { addressKey } from "./address-key.ts";

export type SuppressionView = Omit<StoredSuppression, "tenant">;
type AddressRef = { readonly channel: SuppressionChannel; readonly address: string };

export type AddSuppressions = {
  readonly suppressions: readonly (AddressRef & { readonly reason: SuppressionReason })[];
  readonly reason: string | null;
  readonly dryRun: boolean;
};
export type AddedSuppressions = { readonly added: number; readonly unchanged: number };

/** Adds all of the addresses, or none if one of them is no address or the quota would be exceeded. */
export async function addSuppressions(
  deps: Deps,
  caller: TenantCaller,
  { suppressions, reason, dryRun }: AddSuppressions,
): Promise<Result<AddedSuppressions>> {
  const rows = await rowsOf(deps, caller, suppressions);
  if (!rows.ok) return rows;
  const plan = await planOf(deps, rows.value);
  const total = rows.value.length;
  if (dryRun) {
    const use = await suppressionsUse(deps.db, caller.tenant);
    if (plan.newRows > 0 && use.used + plan.newRows > use.max) return refuse(quotaFull("suppressions", use));
    return accept({ added: plan.added, unchanged: total - plan.added });
  }
  const audit = auditOf(deps, caller, rows.value, reason);
  const stored = await addReasons(deps.db, { tenant: caller.tenant, added: rows.value, newRows: plan.newRows, audit });
  if (stored.isFull) return refuse(quotaFull("suppressions", stored));
  warnWhenNear(deps, caller.tenant, "suppressions", { used: stored.used + plan.newRows, max: stored.max });
  return accept({ added: stored.added, unchanged: total - stored.added });
}

/** Predicts how many addresses have no row yet, and how many reasons are new. An address may be listed twice. */
async function planOf({ db }: Deps, rows: readonly NewSuppression[]) {
  const reasons = new Set<string>();
  const known = await findSuppressed(db, rows);
  const addresses = new Set(known.map((row) => targetOf(row)));
  for (const row of known) for (const reason of Object.keys(row.reasons)) reasons.add(`${targetOf(row)} ${reason}`);
  const before = { addresses: addresses.size, reasons: reasons.size };
  for (const row of rows) {
    addresses.add(targetOf(row));
    reasons.add(`${targetOf(row)} ${row.reason}`);
  }
  return { newRows: addresses.size - before.addresses, added: reasons.size - before.reasons };
}

function auditOf(deps: Deps, caller: TenantCaller, rows: readonly NewSuppression[], reason: string | null) {
  const [first, ...others] = rows;
  const target = first !== undefined && others.length === 0 ? targetOf(first) : "suppressions";
  const details = { addresses: rows.map((row) => `${targetOf(row)} ${row.reason}`) };
  return auditRow(deps, caller, "suppression.add", target, reason, details);
}

async function rowsOf(
  { now }: Deps,
  { tenant, actor }: TenantCaller,
  suppressions: AddSuppressions["suppressions"],
): Promise<Result<readonly NewSuppression[]>> {
  const at = now();
  const source = { actor: `${actor.kind}:${actor.id}`, at };
  const rows: NewSuppression[] = [];
  const errors: Finding[] = [];
  for (const [n, { channel, address, reason }] of suppressions.entries()) {
    const key = await addressKey(channel, address);
    if (key === null) errors.push(...(noAddress(channel, `/suppressions/${n}/address`).errors ?? []));
    else rows.push({ tenant, channel, address: key, reason, source, now: at });
  }
  const [first] = errors;
  if (first === undefined) return accept(rows);
  return refuse({ code: "invalid_input", message: `${first.pointer} ${first.message}.`, errors });
}

export type ListSuppressions = {
  readonly filters: SuppressionFilters;
  readonly cursor: string | null;
  readonly limit: number;
};

export async function listSuppressions(
  { db }: Deps,
  { tenant }: TenantCaller,
  { filters, cursor, limit }: ListSuppressions,
): Promise<Result<Page<SuppressionView>>> {
  return list(db, tenant, filters, cursor, limit);
}

export async function getSuppression(
  { db }: Deps,
  { tenant }: TenantCaller,
  { channel, address }: AddressRef,
): Promise<Result<StoredSuppression>> {
  const key = await addressKey(channel, address);
  if (key === null) return refuse(noAddress(channel));
  const row = await findSuppression(db, { tenant, channel, address: key });
  return row === null ? refuse(notSuppressed(channel, key)) : accept(row);
}

export type DeleteSuppression = AddressRef & { readonly reason: string | null; readonly dryRun: boolean };

/** Deletes the address with all its reasons. The audit entry has the reasons. */
export async function deleteSuppression(
  deps: Deps,
  caller: TenantCaller,
  { reason, dryRun, ...ref }: DeleteSuppression,
): Promise<Result<SuppressionView>> {
  const found = await getSuppression(deps, caller, ref);
  if (!found.ok || dryRun) return found;
  const { channel, address, reasons } = found.value;
  const details: JsonObject = { reasons: JSON.parse(JSON.stringify(reasons)) }; // JSON of stored JSON is JSON.
  const audit = auditRow(deps, caller, "suppression.delete", targetOf(found.value), reason, details);
  const isGone = await remove(deps.db, found.value, audit);
  return isGone ? found : refuse(notSuppressed(channel, address));
}

/** The target of audit entries, and a text that differs for each address. */
function targetOf({ channel, address }: AddressRef): string {
  return `${channel}/${address}`;
}

function notSuppressed(channel: SuppressionChannel, address: string) {
  return { code: "not_found", message: `The ${channel} address ${address} is not suppressed.` } as const;
}
