// Tenant suspension: when a cell checks whether its tenant is suspended. The check is not urgent, because the consumer
// holds the runs of a suspended tenant anyway. The cell checks before its alarm, on a poke, and after the consumer has
// held a run for suspension. Cells of an isolate share the answer "active".
import { SUSPENSION_CACHED_MS, SUSPENSION_SHARED_MS } from "#schema/limits/suspended-tenants.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ports } from "../ports.ts";
import { openWeightedCache, type WeightedCache } from "../weighted-cache.ts";

export type Suspension = {
  /** When the tenant was suspended, epoch ms; null if the last answer was "active". */
  readonly suspendedAt: () => number | null;
  /**
   * Queries the suspension, unless a recent answer is cached. Never rejects: after a fault the last answer still
   * counts.
   */
  readonly refresh: () => Promise<void>;
  /** Queries only if the last answer was "suspended", so an active tenant costs no query. */
  readonly refreshIfSuspended: () => Promise<void>;
  /** Records that the consumer held a run because the tenant is suspended. Outcomes with another reason are ignored. */
  readonly noteOutcome: (outcome: Outcome) => void;
};

/**
 * Active tenants, with the time of the last query, epoch ms. Suspended tenants are not shared: each cell queries again.
 */
export type ActiveTenants = WeightedCache<number>;

type Parts = Pick<Ports, "now" | "log"> & {
  readonly tenant: string;
  readonly query: () => Promise<number | null>;
  /** Called after a query shows that the suspended tenant was resumed. */
  readonly resumed: () => void;
  /** Default: the cache that all cells of the isolate share. */
  readonly activeTenants?: ActiveTenants;
};

const sharedActiveTenants = openActiveTenants();

export function openActiveTenants(): ActiveTenants {
  return openWeightedCache(isolateCaches.tenants.sizeMax);
}

export function openSuspension(parts: Parts): Suspension {
  const { now, log, tenant, query, resumed, activeTenants = sharedActiveTenants } = parts;
  /** When the tenant was suspended, epoch ms; null if the last answer was "active". */
  let suspendedAt: number | null = null;
  let answeredAt = Number.NEGATIVE_INFINITY;

  /** A cell whose last answer was "active" also uses the answer that another cell of the isolate got. */
  const isAnswerRecent = (): boolean => {
    if (now() < answeredAt + SUSPENSION_CACHED_MS) return true;
    const sharedAt = suspendedAt === null ? activeTenants.get(tenant) : undefined;
    if (sharedAt === undefined || now() >= sharedAt + SUSPENSION_SHARED_MS) return false;
    answeredAt = sharedAt;
    return true;
  };

  const refresh = async (): Promise<void> => {
    if (isAnswerRecent()) return;
    try {
      const before = suspendedAt;
      suspendedAt = await query();
      answeredAt = now();
      shareAnswer();
      if (before !== null && suspendedAt === null) resumed();
    } catch (fault) {
      log({ level: "warn", event: "suspension_unknown", message: String(fault) });
    }
  };

  const shareAnswer = (): void => {
    if (suspendedAt === null) activeTenants.set(tenant, answeredAt, 1);
    else activeTenants.delete(tenant);
  };

  return {
    suspendedAt: () => suspendedAt,
    refresh,
    refreshIfSuspended: async () => {
      if (suspendedAt !== null) await refresh();
    },
    noteOutcome: (outcome) => {
      if (outcome.ok || outcome.held?.reason !== "suspended") return;
      suspendedAt ??= now();
      answeredAt = now();
      shareAnswer();
    },
  };
}
