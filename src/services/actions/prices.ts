// A tenant's prices: reads and replaces them, and finds the price of one attempt.
import { findPrices, putPrices, type StoredPrices } from "#catalog/prices.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Prices } from "#schema/price.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { remembered } from "#schema/limits/isolates.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { dropCached, putCached, isolateCache, cached } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";

export type PricesView = Omit<StoredPrices, "tenant">;

const seen = isolateCache<StoredPrices | null>({
  sizeMax: remembered.prices.sizeMax,
  freshMs: () => remembered.prices.freshMs,
  staleMs: () => remembered.prices.staleMs,
});

export async function getPrices(deps: Deps, caller: TenantCaller): Promise<Result<PricesView | null>> {
  const row = await findPrices(deps.db, caller.tenant);
  return accept(row === null ? null : viewOf(row));
}

export async function setPrices(
  deps: Deps,
  caller: TenantCaller,
  { dryRun, ...prices }: Prices & { readonly dryRun: boolean },
): Promise<Result<PricesView>> {
  const row = { tenant: caller.tenant, ...prices, updatedAt: deps.now() };
  if (dryRun) return accept(viewOf(row));
  const audit = auditRow(deps, caller, "prices.set", "prices");
  await putPrices(deps.db, row, audit);
  dropCached(seen, (_row, key) => key === caller.tenant);
  return accept(viewOf(row));
}

/** For the runs of one tenant; null if it has none or the catalog does not answer. Never throws. */
export async function knownPrices(deps: Pick<Deps, "db" | "now" | "log">, tenant: string): Promise<Prices | null> {
  try {
    return await cached(seen, tenant, deps.now, () =>
      withTimeLimit(remembered.prices.lookMs, findPrices(deps.db, tenant)),
    );
  } catch (cause) {
    // Caches the failure, so that the next runs do not wait again: prices must not delay runs.
    putCached(seen, tenant, null, deps.now());
    deps.log({ level: "warn", event: "prices_unknown", tenant, message: String(cause) });
    return null;
  }
}

/** The outcome with the attempt's cost, if its runner gave none. */
export function withPrice(prices: Prices | null, { type, config }: Ticket, outcome: Outcome): Outcome {
  if (prices === null || outcome.costEstimate !== undefined || wasNotTried(outcome)) return outcome;
  const provider = outcome.metadata?.["provider"] ?? config["provider"];
  const costEstimate = prices.amounts[`${type}/${String(provider)}`] ?? prices.amounts[type];
  return costEstimate === undefined ? outcome : { ...outcome, costEstimate };
}

/** Held by its connection, or refused before the provider was called: the provider charges nothing. */
function wasNotTried(outcome: Outcome): boolean {
  return !outcome.ok && (outcome.held !== undefined || outcome.error.type === "invalid_configuration");
}

function viewOf({ tenant: _tenant, ...view }: StoredPrices): PricesView {
  return view;
}
