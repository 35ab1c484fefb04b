// A reconciler with a collector, and parts of its state that tests break.
import type { ObservedStep } from "#kernel/invariants/invariants.ts";
import type { Reconciling } from "#schema/engine/reconciling.ts";
import type { Run } from "#schema/engine/run.ts";
import { action, hour, T0 } from "#test/support/drive.ts";
import { go } from "../programs/reconciler/drive-reconciler.ts";

export const watching = () =>
  go({
    states: { A: { rules: [{ emit: "call" }] } },
    actions: [action("call"), action("look")],
    collector: { action: "look", every: "PT5S" },
  });
export function observed() {
  const t = watching();
  t.observe({ n: 1 });
  return t;
}

export function asWaiting(each: Run): Run {
  return { ...each, id: "9.9", status: "scheduled", dueAt: T0 + hour, attempt: 0, sentAt: null };
}

export function spoiledRun({ state: { reconciling } }: ObservedStep, part: Partial<Run>): Reconciling["collecting"] {
  const { collecting } = reconciling ?? {};
  if (!collecting?.run) throw new Error("somebody observes");
  return { ...collecting, run: { ...collecting.run, ...part } };
}
