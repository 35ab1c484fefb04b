// Random machines: a chain of random blocks, each of which can be left in one way only, so that the machine always ends
// in the same way.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { StateNode } from "#schema/definition/definition.ts";
import type { Placement } from "#schema/definition/head.ts";
import type { JsonObject } from "#schema/json.ts";
import { delaying } from "./by-hand/verbs.ts";
import type { Chance } from "./kit/chance.ts";
import { act, event, HOUR, MINUTE, SECOND, type Scenario, type Script } from "./scenario.ts";

type Block = {
  readonly state: StateNode;
  readonly actions: readonly ActionDefinition[];
  readonly variables?: JsonObject;
  readonly event?: string;
};

export function generated(chance: Chance, placement: Placement): Scenario {
  const length = chance.between(2, 5);
  const blocks = Array.from({ length }, (_, at) => block(chance, `s${at}`, at + 1 < length ? `s${at + 1}` : "end"));
  const pooled = placement === "pooled";
  const executions = Array.from({ length: pooled ? chance.between(2, 4) : 1 }, (_, at) =>
    pooled ? `exe_gen${at}_p1` : "exe_gen",
  );
  return {
    starts: executions.map((id) => ({ atMs: chance.between(0, MINUTE), executions: [id] })),
    variables: Object.assign({ mark: 0 }, ...blocks.map(({ variables }) => variables ?? {})) as JsonObject,
    scripts: executions.flatMap((execution) => [
      ...blocks.flatMap((each) => (each.event === undefined ? [] : [sender(chance, execution, each.event)])),
      ...(chance.yes(0.4) ? [pauseAndResume(chance, execution)] : []),
      ...byHand(chance.fork(execution), execution, blocks),
    ]),
    jumpMsMax: 3 * HOUR,
    ending: "calm",
    definition: {
      kind: "machine",
      name: "generated",
      placement,
      concurrency: chance.between(1, 3),
      ...(chance.yes(0.3) ? { retention: "PT20M" } : {}),
      initial: "s0",
      states: { ...Object.fromEntries(blocks.map(({ state }, at) => [`s${at}`, state])), end: { type: "final" } },
      actions: blocks.flatMap(({ actions }) => actions),
    },
  };
}

function sender(chance: Chance, execution: string, type: string): Script {
  return { execution, steps: [{ atMs: chance.between(0, 2 * HOUR), verb: event(type) }] };
}

/** Delays by an operator do not change how it ends. */
function byHand(chance: Chance, execution: string, blocks: readonly Block[]): readonly Script[] {
  const timers = blocks.flatMap(({ state }, at) =>
    Object.keys(state.after ?? {}).map((after) => `s${at}/after/${after}`),
  );
  return chance.yes(0.4) ? [delaying(chance, execution, timers)] : [];
}

/** A pause does not change how it ends. */
function pauseAndResume(chance: Chance, execution: string): Script {
  const atMs = chance.between(0, 10 * MINUTE);
  return {
    execution,
    steps: [
      { atMs, verb: { kind: "pause" } },
      { atMs: atMs + chance.between(0, 30 * MINUTE), verb: { kind: "resume" } },
    ],
  };
}

function block(chance: Chance, name: string, next: string): Block {
  switch (chance.between(0, 5)) {
    case 0:
      return single(chance, name, next);
    case 1:
      return { state: { after: { [chance.pick(["PT2S", "PT1M", "PT45M", "PT3H"])]: next } }, actions: [] };
    case 2:
      return { state: { on: { [`${name}.go`]: next } }, actions: [], event: `${name}.go` };
    case 3:
      return fan(chance, name, next);
    case 4:
      return regions(chance, name, next);
    default:
      return doomed(chance, name, next);
  }
}

function drawn(chance: Chance, id: string, state: string): ActionDefinition {
  return { ...unlimited(chance, id, state), ...windowOf(chance.fork(`${id}/window`)) };
}

/** Some actions have opening hours, which delay the machine but do not change how it ends. */
function windowOf(chance: Chance): Pick<ActionDefinition, "window"> {
  const from = chance.pick(["00:30", "09:05", "14:00", "23:00"]);
  const to = chance.pick(["04:00", "12:00", "18:30"]);
  return chance.yes(0.25) ? { window: { from, to, ...(chance.yes(0.5) ? { spread: "PT30M" } : {}) } } : {};
}

function unlimited(chance: Chance, id: string, state: string): ActionDefinition {
  return act(id, state, {
    lane: chance.pick(["auto", "direct", "queue"]),
    priority: chance.between(0, 100),
    timeout: chance.pick([5 * SECOND, 20 * SECOND, 60 * SECOND]),
    config: {
      fails: chance.pick([0, 0, 1, 2]),
      ...(chance.yes(0.2) ? { takesMs: chance.between(0, 4 * SECOND) } : {}),
    },
    ...(chance.yes(0.3) ? { delay: chance.pick<number | string>([1_500, "PT10S", "PT3M"]) } : {}),
  });
}

function single(chance: Chance, name: string, next: string): Block {
  return { state: { on: { [`action.${name}_x.ok`]: next } }, actions: [drawn(chance, `${name}_x`, name)] };
}

function fan(chance: Chance, name: string, next: string): Block {
  const count = `${name}_count`;
  const actions = Array.from({ length: chance.between(2, 4) }, (_, at) => drawn(chance, `${name}_${at}`, name));
  const plus = { [count]: { "+": [{ var: `execution.variables.${count}` }, 1] } };
  return {
    state: {
      on: Object.fromEntries(actions.map(({ actionId }) => [`action.${actionId}.ok`, { assign: plus }])),
      always: { target: next, guard: { ">=": [{ var: `execution.variables.${count}` }, actions.length] } },
    },
    actions,
    variables: { [count]: 0 },
  };
}

function regions(chance: Chance, name: string, next: string): Block {
  const actions = Array.from({ length: chance.between(2, 3) }, (_, at) =>
    drawn(chance, `${name}_r${at}`, `${name}.r${at}.go`),
  );
  const region = ({ actionId }: ActionDefinition): StateNode => ({
    initial: "go",
    states: { go: { on: { [`action.${actionId}.ok`]: "end" } }, end: { type: "final" } },
  });
  const states = Object.fromEntries(actions.map((action, at) => [`r${at}`, region(action)]));
  return { state: { type: "parallel", states, onDone: next }, actions };
}

function doomed(chance: Chance, name: string, next: string): Block {
  const id = `${name}_d`;
  const action = {
    ...drawn(chance, id, name),
    config: { doom: true },
    retryPolicy: { maxAttempts: chance.between(1, 3) },
  };
  return { state: { on: { [`action.${id}.failed`]: next } }, actions: [action] };
}
