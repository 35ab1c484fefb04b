// An execution that waits for the ends of two others, and the checks of all three at the end.
import { act, HOUR, MINUTE, rest, type Scenario } from "./scenario.ts";
import type { Chance } from "./kit/chance.ts";
import type { Seen } from "./oracle.ts";

const PARENT = "exe_parent";
const CHILDREN = ["exe_first", "exe_second"] as const;

const isParent = { "==": [{ var: "execution.id" }, PARENT] };
const plus = { ended: { "+": [{ var: "execution.variables.ended" }, 1] } };

/**
 * One definition for all three; only the parent waits. It may still be busy when the first child-ended message arrives.
 */
export const children = (chance: Chance): Scenario => ({
  ...rest,
  jumpMsMax: HOUR,
  variables: { ended: 0, looked: true },
  starts: [PARENT, ...CHILDREN].map((id) => ({ atMs: chance.between(0, MINUTE), executions: [id] })),
  parents: Object.fromEntries(CHILDREN.map((id) => [id, PARENT])),
  isWatched: true,
  definition: {
    kind: "machine",
    name: "children",
    initial: "work",
    states: {
      work: { on: { "action.do.ok": [{ target: "wait", guard: isParent }, { target: "end" }] } },
      wait: {
        on: { child_completed: { assign: plus } },
        always: { target: "end", guard: { ">=": [{ var: "execution.variables.ended" }, CHILDREN.length] } },
      },
      end: { type: "final" },
    },
    actions: [act("do", "work", { config: { fails: 1 } })],
  },
});

/** Checks that each child has notified its parent once, and has stored the confirmation. */
export function childProblems(seen: ReadonlyMap<string, Seen>): readonly string[] {
  return [...seen.values()].flatMap(({ state, entries }) => {
    if (!state.parent) return [];
    const confirmed = entries.filter(({ kind }) => kind === "parent_notified").length;
    return [
      ...(state.outbox?.length ? [`${state.id} still has messages in its outbox`] : []),
      ...(confirmed === 1 ? [] : [`${state.id} was confirmed ${confirmed} times`]),
    ];
  });
}
