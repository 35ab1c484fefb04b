// What a cell knows of its tenant's suspension. Runs are held by who carries them out, whatever the cell knows; the cell
// has to know so that its timers do not fire and nothing is sent in vain. It asks when its alarm goes off or somebody
// pokes, and learns of it when a run comes back for that reason.
import { SUSPENSION_KNOWN_MS } from "#schema/limits/objects.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ports } from "../ports.ts";

export type Suspension = {
  readonly suspendedAt: () => number | null;
  /** Asks, unless it is known from a moment ago. Never throws: what cannot be learnt stays as it was. */
  readonly learn: () => Promise<void>;
  /** Only where the last news was that it is suspended: those who go on are not asked about. */
  readonly learnIfSuspended: () => Promise<void>;
  readonly noteOutcome: (outcome: Outcome) => void;
};

type Parts = Pick<Ports, "now" | "log"> & {
  readonly ask: () => Promise<number | null>;
  /** It was suspended and goes on. */
  readonly resumed: () => void;
};

export function openSuspension({ now, log, ask, resumed }: Parts): Suspension {
  let since: number | null = null;
  let knownAt = Number.NEGATIVE_INFINITY;

  const learn = async (): Promise<void> => {
    if (now() < knownAt + SUSPENSION_KNOWN_MS) return;
    try {
      const before = since;
      since = await ask();
      knownAt = now();
      if (before !== null && since === null) resumed();
    } catch (fault) {
      log({ level: "warn", event: "suspension_unknown", message: String(fault) });
    }
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
    },
  };
}
