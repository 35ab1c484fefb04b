// The engine's machine for a standalone action: runs the action and ends with it. If the action fails, it becomes a
// dead letter that an operator retries or archives.
import { defaults } from "#schema/defaults.ts";
import { ACTION_MACHINES_CACHED_MAX } from "#schema/limits/isolates/compiled-caches.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Standalone, WrittenAction } from "#schema/definition/standalone.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { hasAccepted } from "../execution/receipts/receipts.ts";
import type { Calendars } from "#schema/definition/holidays.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Program } from "../execution/program.ts";
import { machineProgram } from "./machine/machine.ts";

type ActionProgram = Program<MachineDefinition>;

const machines = new Map<string, ActionProgram>();
/** Programs by the standalone action of an execution. An entry exists as long as the action's object exists. */
const programs = new WeakMap<Standalone, ActionProgram>();

export function oneActionProgram(standalone: Standalone): ActionProgram {
  const program = programs.get(standalone) ?? programFor(standalone);
  programs.set(standalone, program);
  return program;
}

/** The action of a request, with its defaults. */
export function programActionOf({ actionId, ...written }: WrittenAction): ProgramAction {
  return { ...written, actionId: actionId ?? written.type, retryPolicy: written.retryPolicy ?? "reaction" };
}

function programFor({ action, dedup, calendars }: Standalone): ActionProgram {
  const machine = machines.get(action.actionId) ?? createMachine(action.actionId);
  // The execution is kept for the whole dedup window, because a second request with the same dedup key must find it.
  const retention = Math.max(defaults.actionRetentionMs, dedup?.windowMs ?? 0);
  return {
    ...machine,
    definition: { ...machine.definition, retention, ...(calendars && { calendars: copyOf(calendars) }) },
    actions: new Map([[action.actionId, action]]),
  };
}

/** A definition has lists that may be changed, so it gets lists of its own. */
function copyOf(calendars: Calendars): { [name: string]: string[] } {
  return Object.fromEntries(Object.entries(calendars).map(([name, dates]) => [name, [...dates]]));
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
 * Finds the action that a request with a dedup key refers to. A request that was sent twice gets the action that it
 * created. Any other request gets the action whose window contains it. null if there is none; the caller then creates
 * an action.
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
