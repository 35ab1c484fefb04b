// The explanation of an execution whose state cannot be read. Its position is unknown, so the explanation contains only
// the next check by its cell.
import type { Explanation } from "#schema/engine/explanation.ts";
import type { Identity, QuarantineEntry } from "#schema/engine/quarantine.ts";
import { predictRecheck } from "./predict-next.ts";

const UNKNOWN = { id: "unknown", name: "unknown", version: 0 };

export function explainUnreadable(
  execution: string,
  identity: Identity | null,
  quarantined: QuarantineEntry,
  now: number,
): Explanation {
  const { kind, reason, since, lookAt: until } = quarantined;
  return {
    execution,
    definition: identity?.definition ?? UNKNOWN,
    status: null,
    states: [],
    asOf: now,
    ended: null,
    next: predictRecheck(quarantined),
    or: [],
    waits: [{ for: "engine", kind, reason, since, until }],
    notNow: [],
    notDone: [],
    leftOut: { waits: 0, notNow: 0, notDone: 0 },
  };
}
