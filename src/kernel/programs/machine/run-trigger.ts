// Applies one trigger to the XState machine, until no transition can be taken. Counts and limits the cost. If the
// result has two active states in one region, uses the variant of the machine that prevents this.
import type { AnyStateMachine } from "xstate";
import { MICROSTEPS_MAX } from "#schema/limits/executions.ts";
import { rethrowPause, isExhausted, charge, countUncharged, workOf, type Work } from "../../computing/work.ts";
import type { Move } from "../../execution/program.ts";
import { pathOf, type MachineContext, type CompiledMachine } from "./compile.ts";
import { ROOT } from "./graph.ts";
import { isConsistent } from "./history-targets.ts";
import type { OnMicrostep, Microstep } from "./transition.ts";

export type TriggerRun<T> = (machine: AnyStateMachine, context: MachineContext, heard: OnMicrostep) => T;

type Failed = Extract<Move, { ok: false }>;

export function runTrigger<T extends Move | null>(
  { machine, regionSafe }: CompiledMachine,
  context: MachineContext,
  run: TriggerRun<T>,
): T | Failed {
  const { work } = context;
  // The root is active from the beginning.
  const begun = (): MachineContext => ({ ...context, activePaths: new Set([ROOT]) });
  const { xstate, hasWaysBack } = machine();
  const once = begun();
  let isBroken = false;
  const move = catchFaults(work, (heard) => {
    const watch: OnMicrostep = (microstep) => {
      heard(microstep);
      isBroken = !isConsistent(microstep.snapshot, once.activePaths);
      if (isBroken) throw new Error("a loop of transitions must meet another transition");
    };
    return run(xstate, once, hasWaysBack ? watch : heard);
  });
  return isBroken ? catchFaults(work, (heard) => run(regionSafe(), begun(), heard)) : move;
}

/**
 * Runs XState and converts its exceptions into faults of the definition. XState throws if a rule throws, or if a loop
 * of transitions does not end.
 */
function catchFaults<T extends Move | null>(work: Work, run: (heard: OnMicrostep) => T): T | Failed {
  let microsteps = 0;
  try {
    return run((microstep) => {
      microsteps += 1;
      if (microsteps > MICROSTEPS_MAX) throw new Error("an endless loop");
      chargeMicrostep(work, microstep);
    });
  } catch (thrown) {
    rethrowPause(work);
    const { message } = thrown as Error; // XState and the rules throw only instances of Error.
    if (isExhausted(work)) return { ok: false, code: "too_costly", message: message.slice(message.indexOf("\n") + 1) };
    if (microsteps > MICROSTEPS_MAX) {
      const sentence = `the machine has not reached a stable state after ${MICROSTEPS_MAX} steps (MICROSTEPS_MAX)`;
      return { ok: false, code: "endless_loop", message: sentence };
    }
    // XState puts a line of its own before the message of a rule. The line is removed.
    return { ok: false, code: "rule_fault", message: message.slice(message.indexOf("\n") + 1) };
  }
}

/**
 * The cost units that are counted per microstep for pauses but not charged. They cover the real time of a transition
 * that is not cached.
 */
const MICROSTEP_UNITS_UNCOUNTED = 200;

/**
 * Charges a microstep. XState compares every pair of transitions that are taken together, and searches all active
 * states for each pair.
 */
function chargeMicrostep(work: Work, { _transitions: { length: taken, 0: first }, snapshot }: Microstep): void {
  const active = snapshot._nodes.length;
  const cost = workOf.microstep + active * workOf.stateFound + (taken * taken * active) / workOf.pairsPerUnit;
  countUncharged(work, MICROSTEP_UNITS_UNCOUNTED);
  charge(work, cost, first && `the transitions of ${pathOf(first.source.id) || "the machine"}`);
}
