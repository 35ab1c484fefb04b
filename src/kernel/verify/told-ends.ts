// How children and tasks end is told by the engine. Whoever waits for one end only waits for ever once it was another one; and
// where nothing of the kind is asked for, nothing is told.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Warning } from "#schema/refusal.ts";
import type { Graph } from "../programs/machine/graph.ts";
import { pointer, statePointer } from "../programs/machine/places.ts";
import { hint, warning } from "./finding.ts";
import { areTogether, isLeftOtherwise, isTimed, type Listeners } from "./listening.ts";

type Told = {
  readonly prefix: string;
  readonly wanted: string;
  readonly others: readonly string[];
  readonly asker: string;
};

const told: readonly Told[] = [
  {
    prefix: "child_",
    wanted: "child_completed",
    others: ["child_failed", "child_canceled"],
    asker: 'an action of type start_execution with "wait": true',
  },
  { prefix: "task_", wanted: "task_completed", others: ["task_canceled"], asker: "an action of type task" },
];

export function untold(definition: MachineDefinition, graph: Graph, listeners: Listeners): readonly Warning[] {
  const { actions = [] } = definition;
  const inPassing = askedInPassing(definition, graph, listeners);
  return told.flatMap((kind) => {
    const isNamed = (type: string): boolean =>
      actions.some(({ onExhausted }) => typeof onExhausted === "object" && onExhausted.event === type);
    const heard = [kind.wanted, ...kind.others].filter((type) => !isNamed(type));
    if (actions.some((action) => isAsking(action, kind))) {
      return [...unheardEnds(kind, listeners), ...(kind.prefix === "task_" ? inPassing : [])];
    }
    return heard.flatMap((type) =>
      (listeners.get(type) ?? []).map(({ at }) => {
        const fix = `Add ${kind.asker}, or take it out.`;
        const where = pointer(statePointer(at.path), "on", type);
        return warning(where, "never_told", `nothing here asks for what ends as ${type}`, { fix });
      }),
    );
  });
}

/** What is rendered may come to true. */
function isAsking({ type, config }: ActionDefinition, { prefix }: Told): boolean {
  if (prefix === "task_") return type === "task" && (config["operation"] ?? "create") === "create";
  return type === "start_execution" && config["wait"] !== undefined && config["wait"] !== false;
}

/** A task goes with the state that asks for it: where another one waits for its end, nobody can complete it by then. */
function askedInPassing(definition: MachineDefinition, graph: Graph, listeners: Listeners): readonly Warning[] {
  const ends = ["task_completed", "*"].flatMap((type) => listeners.get(type) ?? []);
  return (definition.actions ?? []).flatMap((action, n) => {
    const state = action.triggerState === undefined ? undefined : graph.get(action.triggerState);
    if (state === undefined || action.cancelOnExit === false || !told.some((kind) => isTask(action, kind))) return [];
    if (ends.length === 0 || ends.some(({ at }) => areTogether(at, state))) return [];
    const where = pointer("/actions", n);
    const message = `its task is withdrawn when ${state.path} is left, and only other states hear of its end`;
    const fix = 'Listen for task_completed where it is asked for, or let it outlive the state: "cancelOnExit": false.';
    const patch = [{ op: "add", path: pointer(where, "cancelOnExit"), value: false }] as const;
    return [warning(where, "task_withdrawn_early", message, { fix, patch })];
  });
}

function isTask(action: ActionDefinition, kind: Told): boolean {
  return kind.prefix === "task_" && isAsking(action, kind);
}

function unheardEnds({ prefix, wanted, others }: Told, listeners: Listeners): readonly Warning[] {
  return (listeners.get(wanted) ?? []).flatMap(({ at }) => {
    const isHeard = (type: string): boolean =>
      [type, "*"].some((each) => listeners.get(each)?.some((other) => areTogether(other.at, at)));
    const missing = others.filter((type) => !isHeard(type));
    if (missing.length === 0 || isTimed(at)) return [];
    const where = pointer(statePointer(at.path), "on", wanted);
    const isLeft = isLeftOtherwise(at, [prefix, "action."]);
    const waits = isLeft ? "until something else moves it" : "for ever";
    const message = `nobody hears ${missing.join(" or ")}: it then waits ${waits}`;
    return [
      (isLeft ? hint : warning)(where, "end_unheard", message, {
        fix: `Listen for ${missing.join(" and ")} beside it.`,
      }),
    ];
  });
}
