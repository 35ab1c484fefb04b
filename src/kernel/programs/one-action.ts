// The engine's machine for one standalone action: it runs the action, and ends when the action has ended. A failed
// action becomes a dead letter, which an operator retries or archives.
import { defaults } from "#schema/defaults.ts";
import { ACTION_MACHINES_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import type { Standalone } from "#schema/definition/standalone.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { hasAccepted } from "../execution/receipts/receipts.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Program } from "../execution/program.ts";
import { machineProgram } from "./machine/machine.ts";

type ActionProgram = Program<MachineDefinition>;

const machines = new Map<string, ActionProgram>();
/** Programs by the execution's standalone action. A program is cached as long as that object exists. */
const programs = new WeakMap<Standalone, ActionProgram>();

export function oneActionProgram(standalone: Standalone): ActionProgram {
  const program = programs.get(standalone) ?? programFor(standalone);
  programs.set(standalone, program);
  return program;
}

function programFor({ action, dedup }: Standalone): ActionProgram {
  const machine = machines.get(action.actionId) ?? createMachine(action.actionId);
  // The execution is kept at least for the dedup window, because a request with the same dedup key gets its response.
  const retention = Math.max(defaults.actionRetentionMs, dedup?.windowMs ?? 0);
  return {
    ...machine,
    definition: { ...machine.definition, retention },
    actions: new Map([[action.actionId, action]]),
  };
}

function createMachine(id: string): ActionProgram {
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
 * Chooses among the actions with one dedup key. If the request is a repeat, it gets the action that it created.
 * Otherwise it gets the action whose window contains the request. null if there is none, so that a new action is
 * created.
 */
export function actionOfDedupKey(
  actions: readonly ExecutionState[],
  inputId: string,
  now: number,
): ExecutionState | null {
  const own = actions.find((action) => hasAccepted(action, inputId, "start"));
  return (
    own ?? actions.find(({ standalone, createdAt }) => now < createdAt + (standalone?.dedup?.windowMs ?? 0)) ?? null
  );
}
