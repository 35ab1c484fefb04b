// Machine builders: definitions of a given size and the inputs of their executions, for the dimensions.
import { machineDefinition, type MachineDefinition } from "#schema/definition/definition.ts";
import type { Command } from "#schema/engine/input.ts";
import type { Json, JsonObject } from "#schema/json.ts";

export const N = "execution.variables.n";

export function machine(part: Partial<MachineDefinition> & Pick<MachineDefinition, "states">): MachineDefinition {
  const initial = part.type === "parallel" ? {} : { initial: Object.keys(part.states)[0] };
  return machineDefinition.parse({ kind: "machine", name: "bench", ...initial, ...part });
}

/** Builds a state that reenters itself `times` times and then waits. */
export function loopStates(times: number): MachineDefinition["states"] {
  const again = {
    target: "b",
    reenter: true,
    guard: { "<": [{ var: N }, times] },
    assign: { n: { "+": [{ var: N }, 1] } },
  };
  return { a: { on: { go: "b" } }, b: { always: again, on: { back: "a" } } };
}

export function chainStates(size: number): MachineDefinition["states"] {
  const link = (n: number) => [`s${n}`, { on: { [`e${n}`]: `s${(n + 1) % size}` } }] as const;
  return Object.fromEntries(Array.from({ length: size }, (_, n) => link(n)));
}

export function timers(size: number, apart = "PT0S"): Record<string, object> {
  const base = apart === "PT0S" ? 1_000 : 9 * 24 * 60 * 60_000;
  return Object.fromEntries(Array.from({ length: size }, (_, n) => [String(base + n), { actions: [] }]));
}

export function parallelRegions(size: number, states: MachineDefinition["states"]): MachineDefinition["states"] {
  return Object.fromEntries(Array.from({ length: size }, (_, n) => [`r${n}`, { initial: "a", states }]));
}

export function names(size: number): string[] {
  return Array.from({ length: size }, (_, n) => `act${n}`);
}

export function action(actionId: string) {
  return { actionId, type: "webhook", config: { url: "https://example.com/{{ execution.id }}" } };
}

const actor = { kind: "key", id: "key_1" } as const;

export function start(variables: JsonObject = {}): Command {
  return {
    kind: "start",
    inputId: "start",
    execution: "exe_1",
    tenant: "acme",
    namespace: "default",
    definition: { id: "def_1", name: "bench", version: 1 },
    placement: "own",
    variables,
    correlationId: null,
    fingerprint: "f",
    actor,
  };
}

export function event(type: string, n = -1, payload: Json = null): Command {
  const id = `${type}-${n}`;
  return {
    kind: "event",
    event: { id, type, payload, source: "bench", correlationId: null },
    inputId: id,
    fingerprint: "f",
    actor,
  };
}

/** Builds the claim of the n-th run. Run ids contain the number of the input that created the run. */
export function claim(n: number): Command {
  return { kind: "claim", run: `1.${n}`, attempt: 1, lane: "queue" };
}
