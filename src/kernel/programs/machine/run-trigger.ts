// One trigger applied to the XState machine, until no transition is left. Its cost is counted and limited, and each
// region has one active state afterwards.
import type { AnyStateMachine } from "xstate";
import { MICROSTEPS_MAX } from "#schema/limits/step-cost.ts";
import { rethrowPause, isSpent, spend, weigh, workOf, type Work } from "../../computing/work.ts";
import type { Move } from "../../execution/program.ts";
import { pathOf, type MachineContext, type CompiledMachine } from "./compile.ts";
import { ROOT } from "./graph.ts";
import { isWhole } from "./history-targets.ts";
import type { Heard, Microstep } from "./transition.ts";

export type Walk<T> = (machine: AnyStateMachine, carried: MachineContext, heard: Heard) => T;

type Failed = Extract<Move, { ok: false }>;

export function walk<T extends Move | null>(
  { machine, apart }: CompiledMachine,
  carried: MachineContext,
  run: Walk<T>,
): T | Failed {
  const { work } = carried;
  // The root is always active.
  const begun = (): MachineContext => ({ ...carried, standing: new Set([ROOT]) });
  const { xstate, hasWaysBack } = machine();
  const once = begun();
  let isBroken = false;
  const move = guarded(work, (heard) => {
    const watch: Heard = (microstep) => {
      heard(microstep);
      isBroken = !isWhole(microstep.snapshot, once.standing);
      if (isBroken) throw new Error("a transition loop meets another transition");
    };
    return run(xstate, once, hasWaysBack ? watch : heard);
  });
  return isBroken ? guarded(work, (heard) => run(apart(), begun(), heard)) : move;
}

/**
 * Runs XState, and converts its exceptions. It throws if a rule of the definition throws, and on an endless loop; both
 * are faults of the definition.
 */
function guarded<T extends Move | null>(work: Work, run: (heard: Heard) => T): T | Failed {
  let microsteps = 0;
  try {
    return run((microstep) => {
      microsteps += 1;
      if (microsteps > MICROSTEPS_MAX) throw new Error("an endless loop");
      charge(work, microstep);
    });
  } catch (thrown) {
    rethrowPause(work);
    const { message } = thrown as Error; // XState throws errors, and so do the rules
    if (isSpent(work)) return { ok: false, code: "too_costly", message: message.slice(message.indexOf("\n") + 1) };
    if (microsteps > MICROSTEPS_MAX) {
      const sentence = `the machine has not reached a stable state after ${MICROSTEPS_MAX} steps (MICROSTEPS_MAX)`;
      return { ok: false, code: "endless_loop", message: sentence };
    }
    // XState puts an extra line before the message of a rule.
    return { ok: false, code: "rule_fault", message: message.slice(message.indexOf("\n") + 1) };
  }
}

/** Cost units of a microstep beyond its charge: its real time while the transition is not cached. */
const MICROSTEP_UNITS_UNCOUNTED = 200;

/**
 * Charges a microstep. XState compares every taken transition with every other one, and searches all active states for
 * each pair.
 */
function charge(work: Work, { _transitions: { length: taken, 0: first }, snapshot }: Microstep): void {
  const active = snapshot._nodes.length;
  const cost = workOf.microstep + active * workOf.stateFound + (taken * taken * active) / workOf.pairsPerUnit;
  weigh(work, MICROSTEP_UNITS_UNCOUNTED);
  spend(work, cost, first && `the transitions of ${pathOf(first.source.id) || "the machine"}`);
}
