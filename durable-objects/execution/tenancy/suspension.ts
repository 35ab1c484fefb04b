// What a cell knows of its tenant's suspension. Runs are held by who carries them out, whatever the cell knows; the cell
// has to know so that its timers do not fire and nothing is sent in vain. It asks when its alarm goes off or somebody
// pokes, and learns of it when a run comes back for that reason. That a tenant goes on, one cell of an isolate asks for all.
import { SUSPENSION_KNOWN_MS, SUSPENSION_SHARED_MS } from "#schema/limits/objects.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ports } from "../ports.ts";
import { openWeighed, type Weighed } from "../weighed.ts";

export type Suspension = {
  readonly suspendedAt: () => number | null;
  /** Asks, unless it is known from a moment ago. Never throws: what cannot be learnt stays as it was. */
  readonly learn: () => Promise<void>;
  /** Only where the last news was that it is suspended: those who go on are not asked about. */
  readonly learnIfSuspended: () => Promise<void>;
  readonly noteOutcome: (outcome: Outcome) => void;
};

/** Tenants that were not suspended when somebody asked last, and when that was. Of one that is, each cell asks by itself. */
export type GoingOn = Weighed<number>;

type Parts = Pick<Ports, "now" | "log"> & {
  readonly tenant: string;
  readonly ask: () => Promise<number | null>;
  /** It was suspended and goes on. */
  readonly resumed: () => void;
  /** The isolate's. */
  readonly goingOn?: GoingOn;
};

const goingOnHere = openGoingOn();

export function openGoingOn(): GoingOn {
  return openWeighed(remembered.tenants.sizeMax);
}

export function openSuspension({ now, log, tenant, ask, resumed, goingOn = goingOnHere }: Parts): Suspension {
  let since: number | null = null;
  let knownAt = Number.NEGATIVE_INFINITY;

  const isKnown = (): boolean => {
    if (now() < knownAt + SUSPENSION_KNOWN_MS) return true;
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
