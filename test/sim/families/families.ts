// Executions that start children, which start children again, and are canceled at any moment. Also their checks at the
// end.
import type { ChildPolicy } from "#schema/engine/child.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { Chance } from "../kit/chance.ts";
import type { Seen } from "../oracle.ts";
import { act, endsAs, HOUR, MINUTE, rest, SECOND, type Scenario } from "../scenario.ts";

const ROOT = "exe_root";
const TIMEOUT_MS = 10 * SECOND;
const plus = { ended: { "+": [{ var: "execution.variables.ended" }, 1] } };
const kids = ["one", "two"] as const;

/**
 * One definition for all: executions of the lowest level work for two days, the others wait for both of their children.
 */
const family = (policy: ChildPolicy, chance: Chance): Scenario => ({
  ...rest,
  jumpMsMax: HOUR,
  variables: { level: "", ended: 0 },
  starts: [{ atMs: 0, executions: [ROOT] }],
  // Mostly while its children are being started.
  scripts: [
    {
      execution: ROOT,
      steps: [{ atMs: chance.between(0, chance.yes(0.6) ? 3 * SECOND : 2 * MINUTE), verb: { kind: "cancel" } }],
    },
  ],
  family: policy,
  ending: endsAs("completed", "canceled"),
  definition: {
    kind: "machine",
    name: "family",
    concurrency: 2,
    initial: "choose",
    states: {
      choose: {
        always: [
          { target: "start", guard: { in: [{ var: "execution.variables.level" }, ["", "x"]] } },
          { target: "work" },
        ],
      },
      start: {
        on: { child_completed: { assign: plus }, child_canceled: { assign: plus }, child_failed: { assign: plus } },
        always: { target: "end", guard: { ">=": [{ var: "execution.variables.ended" }, kids.length] } },
      },
      work: { after: { P2D: "end" } },
      end: { type: "final" },
    },
    actions: kids.map((name, at) =>
      act(name, "start", {
        type: "start_execution",
        lane: "queue",
        timeout: TIMEOUT_MS,
        config: {
          definition: "family",
          wait: true,
          onCancel: policy,
          variables: { level: "{{ execution.variables.level }}x", ended: 0 },
          fails: at,
        },
      }),
    ),
  },
});

export const families: { readonly [name: string]: (chance: Chance) => Scenario } = {
  familyCanceled: (chance) => family("cancel", chance),
  familyLeft: (chance) => family("leave", chance),
  familyAwaited: (chance) => family("wait", chance),
};

/** The child's id, as the simulated provider chooses it: the same for every repeated request. */
export function childOf(execution: string, run: string): string {
  return `${execution}_${run.replace(".", "_")}`;
}

export function familyProblems({ family: policy }: Scenario, seen: ReadonlyMap<string, Seen>): readonly string[] {
  if (policy === undefined) return [];
  const root = seen.get(ROOT)?.state;
  return [...seen.values()].flatMap(({ state }) => {
    const parent = seen.get(state.parent?.execution ?? "")?.state;
    const overAt = parent && isFinalStatus(parent.status) ? Number(parent.finishedAt) : Infinity;
    const wanted = root?.status === "canceled" && policy === "cancel" ? "canceled" : "completed";
    return [
      ...(state.ending ? [`${state.id} is still ending`] : []),
      ...((state.children ?? []).length > 0 ? [`${state.id} still keeps children`] : []),
      ...(state.createdAt > overAt + TIMEOUT_MS ? [`${state.id} was begun after its parent had ended`] : []),
      ...(parent && state.status !== wanted ? [`${state.id} is ${state.status}, and should be ${wanted}`] : []),
      ...(policy === "wait" && Number(state.finishedAt) > overAt ? [`${parent?.id} did not wait for ${state.id}`] : []),
    ];
  });
}
