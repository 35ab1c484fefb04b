// Ends of children and tasks, which the engine sends as events. Warns if an execution listens for one kind of end but
// not for the others, because it then waits forever. Also warns if it listens although no action starts a child or
// creates a task.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import type { Warning } from "#schema/refusal.ts";
import type { Graph } from "../programs/machine/graph.ts";
import { pointer, statePointer } from "../programs/machine/pointers.ts";
import { hint, warning } from "./finding.ts";
import { isLeftByOtherEvent, isLeftByDelay, type Listeners, type FindActiveListener } from "./state-listeners.ts";

type EndEvents = { readonly prefix: string; readonly wanted: string; readonly others: readonly string[] };

const ends: readonly EndEvents[] = [
  { prefix: "child_", wanted: "child_completed", others: ["child_failed", "child_canceled"] },
  { prefix: "task_", wanted: "task_completed", others: ["task_canceled"] },
];

type EventSource = {
  readonly types: readonly string[];
  readonly is: (action: ActionDefinition) => boolean;
  readonly by: string;
};

const eventSources: readonly EventSource[] = [
  {
    types: ["child_completed", "child_failed", "child_canceled"],
    // `wait` may be a template that gives true, so only the literal false means that the action does not wait.
    is: ({ type, config: { wait = false } }) => type === "start_execution" && wait !== false,
    by: 'an action of type start_execution with "wait": true',
  },
  { types: ["task_completed", "task_canceled"], is: isTask, by: "an action of type task" },
  {
    types: ["task_reminder"],
    is: (action) => isTask(action) && action.config["reminder"] !== undefined,
    by: "a reminder to an action of type task",
  },
  {
    types: ["task_escalated"],
    is: (action) => isTask(action) && action.config["escalateTo"] !== undefined,
    by: "escalateTo to an action of type task",
  },
];

/** Whether the action creates a task. An action that only changes the task of another action does not. */
function isTask({ type, config: { operation = "create" } }: ActionDefinition): boolean {
  return type === "task" && operation === "create";
}

type ListenerLookup = { readonly listeners: Listeners; readonly findActiveListener: FindActiveListener };

export function endEventWarnings(
  definition: MachineDefinition,
  graph: Graph,
  hearing: ListenerLookup,
): readonly Warning[] {
  const { actions = [] } = definition;
  const isNamed = (type: string): boolean =>
    actions.some(({ onExhausted }) => typeof onExhausted === "object" && onExhausted.event === type);
  const never = eventSources.flatMap(({ types, is, by }) => {
    if (actions.some(is)) return [];
    return types.filter((type) => !isNamed(type)).flatMap((type) => neverSentWarnings(type, by, hearing.listeners));
  });
  const isAsked = (end: string): boolean =>
    eventSources.some(({ types, is }) => types.includes(end) && actions.some(is));
  return [
    ...never,
    ...ends.flatMap((kind) => (isAsked(kind.wanted) ? unhandledEnds(kind, hearing) : [])),
    ...earlyWithdrawnTasks(actions, graph, hearing),
  ];
}

function neverSentWarnings(type: string, by: string, listeners: Listeners): readonly Warning[] {
  return (listeners.get(type) ?? []).map(({ at }) => {
    const fix = `Add ${by}, or remove the transition.`;
    const where = pointer(statePointer(at.path), "on", type);
    return warning(where, "event_never_caused", `no action of this definition causes ${type}`, { fix });
  });
}

/**
 * Warnings about tasks that are withdrawn too early. The engine withdraws a task when its state is left. If only
 * another state listens for the task's end, the task is withdrawn before a person can complete it.
 */
function earlyWithdrawnTasks(
  actions: readonly ActionDefinition[],
  graph: Graph,
  { listeners, findActiveListener }: ListenerLookup,
): readonly Warning[] {
  const heard = ["task_completed", "*"].filter((type) => listeners.has(type));
  return actions.flatMap((action, n) => {
    const state = action.triggerState === undefined ? undefined : graph.get(action.triggerState);
    if (state === undefined || action.cancelOnExit === false || !isTask(action)) return [];
    if (heard.length === 0 || heard.some((type) => findActiveListener(type, state) !== undefined)) return [];
    const where = pointer("/actions", n);
    const message = `when the execution leaves ${state.path}, the task is withdrawn, and only other states listen for the end of the task`;
    const fix =
      'Listen for task_completed in the state that creates the task, or keep the task: "cancelOnExit": false.';
    const patch = [{ op: "add", path: pointer(where, "cancelOnExit"), value: false }] as const;
    return [warning(where, "task_withdrawn_early", message, { fix, patch })];
  });
}

function unhandledEnds(
  { prefix, wanted, others }: EndEvents,
  { listeners, findActiveListener }: ListenerLookup,
): readonly Warning[] {
  return (listeners.get(wanted) ?? []).flatMap(({ at }) => {
    const isHeard = (type: string): boolean => [type, "*"].some((each) => findActiveListener(each, at) !== undefined);
    const missing = others.filter((type) => !isHeard(type));
    if (missing.length === 0 || isLeftByDelay(at)) return [];
    const where = pointer(statePointer(at.path), "on", wanted);
    const isLeft = isLeftByOtherEvent(at, [prefix, "action."]);
    const waits = isLeft ? "until another event or timer moves it" : "endlessly";
    const message = `no state listens for ${missing.join(" or ")}: after this event, the execution waits ${waits}`;
    return [
      (isLeft ? hint : warning)(where, "end_unhandled", message, {
        fix: `Listen for ${missing.join(" and ")} in the same state.`,
      }),
    ];
  });
}
