// The reconciler kind as a program: its position changes only at ticks. Results of runs and patches of variables change
// the values that the next tick reads.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import { isEngineEvent, isReportEvent } from "#schema/engine/event.ts";
import type { Position, ReconcilerPosition } from "#schema/engine/state.ts";
import { assert } from "../../assert.ts";
import { PATCHED, type Listener, type Move, type Program, type ProgramEnding } from "../../execution/program.ts";
import { failedEnding, placesOf, startlessType } from "../place-names.ts";
import { pointer } from "../machine/pointers.ts";
import { plannedStateOf, planOf, type Plan } from "./reconciler-plan.ts";
import { interrupt, reasonOf, shutdown, positionIn, tick } from "./tick.ts";

export function reconcilerProgram(definition: ReconcilerDefinition): Program<ReconcilerDefinition> {
  const plan = planOf(definition);
  const { collector, tickMs, staleAfterMs, observesAfter, aliasesAction } = plan;
  return {
    definition,
    actions: plan.actions,
    begin: (variables, scope, work, { now }) => {
      const { initial } = definition;
      const reason = reasonOf(plan, { scope, work }, initial, null);
      if (!reason.ok) return { ok: false, code: "rule_fault", message: reason.message };
      const position = positionIn(initial, reason.value, now);
      const done = plannedStateOf(plan, initial).state.type === "final";
      return { ...NO_CHANGE, position: { ...position, done }, variables };
    },
    beginAt: (from, _before, variables, scope, work, { now }) => {
      assert("state" in from, "a restart of a reconciler must name a state");
      const reason = reasonOf(plan, { scope, work }, from.state, null);
      if (!reason.ok) return { ok: false, code: "rule_fault", message: reason.message };
      return { ...NO_CHANGE, position: positionIn(from.state, reason.value, now), variables };
    },
    react: (position, variables) => ({ ...NO_CHANGE, position, variables }),
    eventTiming: ({ done }, type) => {
      if (!isEngineEvent(type) && !isReportEvent(type)) return "unknown";
      return done ? "late" : "now";
    },
    awaits: () => false,
    waitsFor: ({ done }) => (done ? [] : [PATCHED]),
    listeners: (position) => listenersOf(plan, reconcilerAt(position)),
    refusesEarly: false,
    ending: (position, where) => endingOf(plan, reconcilerAt(position), where),
    places: {
      field: "state",
      names: () => placesOf(definition),
      excludes: (name) => startlessType(definition.states[name]?.type),
      hasPosition: ({ kind }) => kind === "reconciler",
    },
    eventTypes: [],
    ticks: {
      repeats: "reconciler",
      desired: definition.desired ?? {},
      deriveDesired: definition.deriveDesired ?? {},
      tickMs,
      staleAfterMs,
      observesAfter,
      aliasesAction,
      collector,
      cancelsAction: plan.shutdown?.cancelsAction === true,
      shutdown: (position, ...seen) => shutdown(plan, tickInput(position, seen)),
      tick: (position, ...seen) => tick(plan, tickInput(position, seen)),
      interrupts: (position) => plannedStateOf(plan, reconcilerAt(position).state).interrupts,
      interrupt: (position, ...seen) => interrupt(plan, tickInput(position, seen)),
      watches: (position) => plannedStateOf(plan, reconcilerAt(position).state).readsTime,
    },
  };
}

const NO_CHANGE = { ok: true, commands: [], took: [] } as const satisfies Partial<Move>;

type Seen = Parameters<Program["begin"]>;

function tickInput(position: Position, [variables, scope, work, at]: Seen) {
  return { position: reconcilerAt(position), variables, scope, work, at };
}

function reconcilerAt(position: Position): ReconcilerPosition {
  assert(
    position.kind === "reconciler",
    "an execution must keep the kind of its definition (machine, journey or reconciler)",
  );
  return position;
}

/**
 * The rules for which the position waits. A rule without a condition is not listed, because the next tick applies it.
 */
function listenersOf(plan: Plan, { state, done }: ReconcilerPosition): readonly Listener[] {
  if (done) return [];
  return plannedStateOf(plan, state).rules.flatMap(({ when, target }, n): Listener[] => {
    if (when === undefined) return [];
    const at = pointer("/states", state, "rules", n, "when");
    return [{ on: { kind: "always" }, state, guard: when, at, to: target === undefined ? [] : [target] }];
  });
}

function endingOf(plan: Plan, { state, removed, reason }: ReconcilerPosition, where: string): ProgramEnding {
  const isFailed = !removed && plannedStateOf(plan, state).state.outcome === "failed";
  return isFailed
    ? failedEnding("reconciler", `in ${where}${reason === "" ? "" : `: ${reason}`}`)
    : { status: "completed" };
}
