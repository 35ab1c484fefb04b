// Tenant suspension: what a cell knows of it. The consumer holds runs regardless; the cell checks so that its timers do
// not fire and nothing is sent needlessly. It queries when its alarm fires, on a poke, and when a run is returned for
// that reason. One cell of an isolate queries for all whether a tenant is active.
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { SUSPENSION_CACHED_MS, SUSPENSION_SHARED_MS } from "#schema/limits/suspended-tenants.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ports } from "../ports.ts";
import { openWeightedCache, type WeightedCache } from "../weighted-cache.ts";

export type Suspension = {
  readonly suspendedAt: () => number | null;
  /** Queries, unless a recent answer is cached. Never throws: on failure the last answer is kept. */
  readonly learn: () => Promise<void>;
  /** Only if the last answer was "suspended": active tenants are not queried. */
  readonly learnIfSuspended: () => Promise<void>;
  readonly noteOutcome: (outcome: Outcome) => void;
};

/** Tenants that were active at the last query, and when that was. For a suspended one each cell queries on its own. */
export type ActiveTenants = WeightedCache<number>;

type Parts = Pick<Ports, "now" | "log"> & {
  readonly tenant: string;
  readonly ask: () => Promise<number | null>;
  /** It was suspended and is resumed. */
  readonly resumed: () => void;
  /** The isolate's. */
  readonly goingOn?: ActiveTenants;
};

const goingOnHere = openActiveTenants();

export function openActiveTenants(): ActiveTenants {
  return openWeightedCache(isolateCaches.tenants.sizeMax);
}

export function openSuspension({ now, log, tenant, ask, resumed, goingOn = goingOnHere }: Parts): Suspension {
  let since: number | null = null;
  let knownAt = Number.NEGATIVE_INFINITY;

  const isKnown = (): boolean => {
    if (now() < knownAt + SUSPENSION_CACHED_MS) return true;
    const heardAt = since === null ? goingOn.get(tenant) : undefined;
    if (heardAt === undefined || now() >= heardAt + SUSPENSION_SHARED_MS) return false;
    knownAt = heardAt;
    return true;
  };

  const learn = async (): Promise<void> => {
    if (isKnown()) return;
    try {
      const before = since;
      since = await ask();
      knownAt = now();
      note();
      if (before !== null && since === null) resumed();
    } catch (fault) {
      log({ level: "warn", event: "suspension_unknown", message: String(fault) });
    }
  };

  const note = (): void => {
    if (since === null) goingOn.keep(tenant, knownAt, 1);
    else goingOn.forget(tenant);
  };

  return {
    suspendedAt: () => since,
    learn,
    learnIfSuspended: async () => {
      if (since !== null) await learn();
    },
    noteOutcome: (outcome) => {
      if (outcome.ok || outcome.held?.reason !== "suspended") return;
      since ??= now();
      knownAt = now();
      note();
    },
  };
}
