// The engine's own machine around one action: it acts, and ends as the action ends. A failure waits, as
// every dead letter does, for a person who sends it again or lets it lie.
import { defaults } from "#schema/defaults.ts";
import { ACTION_MACHINES_CACHED_MAX } from "#schema/limits/kernel.ts";
import type { Standalone } from "#schema/definition/standalone.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { hasTaken } from "../execution/receipts/receipts.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Program } from "./program.ts";
import { machineProgram } from "./machine/machine.ts";

type ActionProgram = Program<MachineDefinition>;

const machines = new Map<string, ActionProgram>();
/** An execution's own, as long as its state is at hand. */
const programs = new WeakMap<Standalone, ActionProgram>();

export function oneActionProgram(standalone: Standalone): ActionProgram {
  const program = programs.get(standalone) ?? programFor(standalone);
  programs.set(standalone, program);
  return program;
}

function programFor({ action, dedup }: Standalone): ActionProgram {
  const machine = machines.get(action.actionId) ?? learn(action.actionId);
  // Whoever asks for the same thing within the window gets this one's answer: it stays as long.
  const retention = Math.max(defaults.actionRetentionMs, dedup?.windowMs ?? 0);
  return {
    ...machine,
    definition: { ...machine.definition, retention },
    actions: new Map([[action.actionId, action]]),
  };
}

function learn(id: string): ActionProgram {
  const oldest = machines.keys().next();
  if (machines.size >= ACTION_MACHINES_CACHED_MAX && !oldest.done) machines.delete(oldest.value);
  const machine = machineProgram({
    kind: "machine",
    name: "action",
    placement: "pooled",
    initial: "act",
    states: {
      act: {
        entry: [id],
        on: { [`action.${id}.ok`]: "done", [`action.${id}.failed`]: "failed", [`action.${id}.skipped`]: "skipped" },
      },
      failed: {
        on: { [`action.${id}.ok`]: "done", [`action.${id}.skipped`]: "skipped", [`action.${id}.archived`]: "given_up" },
      },
      done: { type: "final" },
      skipped: { type: "final" },
      given_up: { type: "final", outcome: "failed" },
    },
  });
  machines.set(id, machine);
  return machine;
}

/**
 * Which of the actions with one dedup key is meant by a call that comes now: the one it asked for itself, if it comes
 * again; else the one whose window it falls into, whoever asked for that.
 */
export function firstAsked(actions: readonly ExecutionState[], inputId: string, now: number): ExecutionState | null {
  const own = actions.find((action) => hasTaken(action, inputId, "start"));
  return (
    own ?? actions.find(({ standalone, createdAt }) => now < createdAt + (standalone?.dedup?.windowMs ?? 0)) ?? null
  );
}
