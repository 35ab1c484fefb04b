// A tenant's prices: reads and replaces them, and finds the price of one attempt.
import { findPrices, putPrices, type StoredPrices } from "#catalog/prices.ts";
import { isMet } from "#policy/configuration/precondition.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Prices } from "#schema/price.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { dropCached, putCached, openIsolateCache, readCached } from "../isolate-cache.ts";
import { preconditionFailed, tagOf, type WriteOutcome } from "../named/put-named.ts";
import { withTimeLimit } from "../time-limit.ts";

export type PricesView = Omit<StoredPrices, "tenant">;

const priceCache = openIsolateCache<StoredPrices | null>({
  sizeMax: isolateCaches.prices.sizeMax,
  freshMs: () => isolateCaches.prices.freshMs,
  staleMs: () => isolateCaches.prices.staleMs,
});

export async function getPrices(deps: Deps, caller: TenantCaller): Promise<Result<PricesView | null>> {
  const row = await findPrices(deps.db, caller.tenant);
  return accept(row === null ? null : pricesView(row));
}

export type SetPrices = Prices & { readonly precondition: Precondition; readonly dryRun: boolean };

export async function setPrices(
  deps: Deps,
  caller: TenantCaller,
  { precondition, dryRun, currency, amounts }: SetPrices,
): Promise<Result<WriteOutcome<PricesView>>> {
  const { tenant } = caller;
  const before = await findPrices(deps.db, tenant);
  const tag = await pricesTag({ currency, amounts });
  const tagBefore = before && (await pricesTag(before));
  if (!isMet(precondition, tagBefore)) return refuse(preconditionFailed("price list", tenant, before));
  if (before !== null && tag === tagBefore) return accept({ result: "unchanged", view: pricesView(before), tag });
  const result = before === null ? "created" : "changed";
  const row = { tenant, currency, amounts, updatedAt: Math.max(deps.now(), (before?.updatedAt ?? 0) + 1) };
  if (dryRun) return accept({ result, view: pricesView(row), tag });
  const audit = auditRow(deps, caller, "prices.set", "prices");
  if (!(await putPrices(deps.db, row, before?.updatedAt ?? null, audit))) return refuse(pricesChanged);
  dropCached(priceCache, (_row, key) => key === tenant);
  return accept({ result, view: pricesView(row), tag });
}

const pricesChanged = {
  code: "unavailable",
  message: "Another request changed the prices at the same time.",
  hint: "Read the current prices, then send the change again.",
} as const;

export function pricesTag({ currency, amounts }: Prices): Promise<string> {
  return tagOf({ currency, prices: amounts });
}

/**
 * Returns the tenant's prices for an attempt. Returns null if the tenant has none or the catalog does not answer; the
 * attempt then gets no price. Never throws.
 */
export async function cachedPrices(deps: Pick<Deps, "db" | "now" | "log">, tenant: string): Promise<Prices | null> {
  try {
    return await readCached(priceCache, tenant, deps.now, () =>
      withTimeLimit(isolateCaches.prices.lookMs, findPrices(deps.db, tenant)),
    );
  } catch (cause) {
    // The failure is cached as "no prices". So the next runs do not wait for the catalog, because prices must not delay
    // runs.
    putCached(priceCache, tenant, null, deps.now());
    deps.log({ level: "warn", event: "prices_unknown", tenant, message: String(cause) });
    return null;
  }
}

/** Returns the outcome with the attempt's price as its cost. A cost that the runner itself reported is kept. */
export function withPrice(prices: Prices | null, { type, config }: Ticket, outcome: Outcome): Outcome {
  if (prices === null || outcome.costEstimate !== undefined || wasNotSent(outcome)) return outcome;
  const provider = outcome.metadata?.["provider"] ?? config["provider"];
  const costEstimate = prices.amounts[`${type}/${String(provider)}`] ?? prices.amounts[type];
  return costEstimate === undefined ? outcome : { ...outcome, costEstimate };
}

/**
 * True if the attempt costs nothing, because the provider was not called: the run was held or skipped, or its config was refused.
 */
function wasNotSent(outcome: Outcome): boolean {
  return (
    !outcome.ok &&
    (outcome.held !== undefined || outcome.skipped !== undefined || outcome.error.type === "invalid_configuration")
  );
}

function pricesView({ tenant: _tenant, ...view }: StoredPrices): PricesView {
  return view;
}
