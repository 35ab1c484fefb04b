// Executions that create tasks, leave their state, create tasks again and are canceled meanwhile. Also the checks of
// tasks and executions at the end.
import { isFinalStatus } from "#schema/engine/state.ts";
import type { Chance } from "../kit/chance.ts";
import type { Seen } from "../oracle.ts";
import { act, endsAs, MINUTE, rest, type Scenario, type Script } from "../scenario.ts";
import type { SimTask } from "./tasks.ts";

const EXECUTIONS = ["exe_sim0_p3", "exe_sim1_p3", "exe_sim2_p3"] as const;
const plus = (name: string) => ({ [name]: { "+": [{ var: `execution.variables.${name}` }, 1] } });
const hurried = { "<": [{ var: "execution.variables.rounds" }, 2] };

/**
 * A round lasts so long that about half of the tasks are completed in it; two of three executions are canceled at some
 * time.
 */
export const asking = (chance: Chance): Scenario => ({
  ...rest,
  jumpMsMax: 5 * MINUTE,
  variables: { rounds: 0, reminded: 0 },
  starts: [{ atMs: 0, executions: [...EXECUTIONS] }],
  scripts: EXECUTIONS.slice(0, 2).map((execution): Script => ({
    execution,
    steps: [{ atMs: chance.between(0, 40 * MINUTE), verb: { kind: "cancel" } as const }],
  })),
  ending: endsAs("completed", "canceled"),
  definition: {
    kind: "machine",
    name: "asking",
    placement: "pooled",
    concurrency: 2,
    initial: "ask",
    states: {
      ask: {
        on: {
          task_completed: "thank",
          task_reminder: { assign: plus("reminded") },
          task_escalated: { assign: plus("reminded") },
        },
        after: { PT12M: [{ target: "ask", reenter: true, guard: hurried, assign: plus("rounds") }, { target: "end" }] },
      },
      thank: { on: { "action.thanks.ok": "end" } },
      end: { type: "final" },
    },
    actions: [
      act("question", "ask", { type: "task", config: { fails: 1 } }),
      act("other", "ask", { type: "task", lane: "queue" }),
      act("thanks", "thank"),
    ],
  },
});

/** Checks that both sides agree: a task is completed if the execution accepted its end, and withdrawn otherwise. */
export function taskProblems(seen: ReadonlyMap<string, Seen>, tasks: readonly SimTask[]): readonly string[] {
  const made = tasks.flatMap((task) => {
    const its = [...seen.values()].find(({ state }) => state.id === task.execution);
    if (!its) return [`${task.execution} is nowhere, and has the task ${task.run}`];
    const name = `the task ${task.execution}/${task.run}`;
    const heard = its.entries.filter(
      (entry) =>
        (entry.kind === "event_received" || entry.kind === "event_buffered") && entry.event.id === `task/${task.run}`,
    ).length;
    return [
      ...(heard > 1 ? [`${name} was heard of ${heard} times`] : []),
      ...(task.status === "completed" && heard === 0
        ? [`${name} is completed, and its execution never took that`]
        : []),
      ...(task.status !== "completed" && heard > 0
        ? [`${name} is ${task.status}, and its execution took its end`]
        : []),
      ...(task.status === "open" && isFinalStatus(its.state.status)
        ? [`${name} is open, and is no longer needed`]
        : []),
    ];
  });
  const owed = [...seen.values()].flatMap(({ state }) =>
    isFinalStatus(state.status) && (state.tasks ?? []).length > 0 ? [`${state.id} still keeps tasks`] : [],
  );
  return [...made, ...owed];
}
