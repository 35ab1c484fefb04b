// Runner list: what each action type is able to do, its defaults, and the tenant's price of one attempt.
import { findPrices } from "#catalog/prices.ts";
import { typeAliases } from "#schema/definition/action-type.ts";
import type { RetryPreset } from "#schema/definition/retry.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type ListedRunner = {
  readonly type: string;
  readonly aliases: readonly string[];
  readonly permissions: readonly string[];
  readonly repeats: IdempotencySupport;
  readonly lane: "queue" | null;
  readonly timeoutMs: number;
  readonly retryPolicy: RetryPreset;
  /** The prices of the type, and of the type at its providers. Null if the tenant has no price list. */
  readonly price: { readonly currency: string; readonly amounts: { readonly [of: string]: number } } | null;
};

export async function listRunners(deps: Deps, { tenant }: TenantCaller): Promise<Result<readonly ListedRunner[]>> {
  const prices = await findPrices(deps.db, tenant);
  const runners = Object.entries(deps.actionTypes).map(([type, runner]) => ({
    type,
    aliases: Object.keys(typeAliases).filter((alias) => typeAliases[alias] === type),
    permissions: runner.permissions ?? [],
    repeats: runner.repeats ?? { mode: "none" as const },
    lane: runner.lane ?? null,
    timeoutMs: runner.timeoutMs,
    retryPolicy: runner.retryPolicy,
    price: prices === null ? null : { currency: prices.currency, amounts: amountsOf(type, prices.amounts) },
  }));
  return accept(runners);
}

function amountsOf(type: string, amounts: { readonly [of: string]: number }): { readonly [of: string]: number } {
  return Object.fromEntries(Object.entries(amounts).filter(([of]) => of === type || of.startsWith(`${type}/`)));
}
