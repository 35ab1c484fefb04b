// Waits of a reconciler: its next tick, the next observation, and a change of its desired state. Evaluates its rules to
// show their results.
import type { ObservedBy, Wait } from "#schema/engine/explanation.ts";
import { isStale, type Reconciling } from "#schema/engine/reconciling.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { Step } from "../execution/current-step.ts";
import type { Listener, Program } from "../execution/program.ts";
import type { ExecutionWait } from "../waiting/waits.ts";
import { guardsOf } from "./event-waits.ts";

export function reconcilingWaits(
  step: Step,
  waits: readonly ExecutionWait[],
  listeners: readonly Listener[],
): readonly Wait[] {
  const { reconciling, status } = step.state;
  if (reconciling === undefined || isFinalStatus(status)) return [];
  const { desired } = reconciling;
  const ticks = status === "paused" ? [] : waits.filter((wait) => wait.for === "tick" && wait.until !== null);
  return [
    ...ticks.map(({ until }) => ({ for: "tick" as const, until })),
    observationWait(step, reconciling, listeners),
    { for: "desired", revision: desired.revision, until: null },
  ];
}

function observationWait(step: Step, reconciling: Reconciling, listeners: readonly Listener[]): Wait {
  const { observed, staleAfterMs, fault } = reconciling;
  const stale = isStale(reconciling, step.now);
  const until = observed === null || staleAfterMs === null || stale ? null : observed.at + staleAfterMs;
  return {
    for: "observation",
    revision: observed?.revision ?? 0,
    observedAt: observed?.at ?? null,
    isStale: stale,
    collector: collectorOf(step.program, reconciling),
    fault,
    guards: guardsOf(step, listeners),
    until,
  };
}

function collectorOf({ ticks }: Program, { collecting }: Reconciling): ObservedBy | null {
  if (collecting === null || !ticks?.collector) return null;
  const { run, dueAt, failures, error } = collecting;
  return { action: ticks.collector.action, nextAt: run === null ? dueAt : null, failures, error };
}
