// One pool with executions that cannot be stepped: one is unreadable, one is refused by the store, one exceeds the
// budget. The other executions must not be affected.
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Catalog } from "./catalog.ts";
import type { Chance } from "./kit/chance.ts";
import type { Host } from "./host.ts";
import { act, BEGIN, HOUR, MINUTE, rest, SECOND, type Scenario } from "./scenario.ts";

const UNREADABLE = "exe_unreadable_p3";
const UNWRITABLE = "exe_unwritable_p3";
const COSTLY = "exe_costly_p3";
const NEIGHBOURS = Array.from({ length: 6 }, (_, n) => `exe_neighbour${n}_p3`);
const [before, after] = [NEIGHBOURS.slice(0, 3), NEIGHBOURS.slice(3)];
const DUE_MS = 12 * MINUTE;

const variable = (name: string) => ({ var: `execution.variables.${name}` });
/** Walks the list once for each of its items, and again for each round. */
const square = { some: [variable("list"), { some: [{ var: "../../execution.variables.list" }, { "===": [1, 2] }] }] };
const endless = { and: [{ "<": [variable("n"), 900] }, { "!": [square] }] };

export const poisoned = (chance: Chance): Scenario => ({
  ...rest,
  jumpMsMax: MINUTE,
  variables: { n: 0, date: BEGIN + DUE_MS, list: Array.from({ length: 200 }, () => 0) },
  starts: [{ atMs: chance.between(0, 20 * SECOND), executions: [...before, UNREADABLE, UNWRITABLE, COSTLY, ...after] }],
  poison: { unreadable: UNREADABLE, unwritable: UNWRITABLE, atMs: 2 * MINUTE },
  scripts: [{ execution: UNREADABLE, steps: [{ atMs: 3 * HOUR, verb: { kind: "cancel" } }] }],
  definition: {
    kind: "machine",
    name: "poisoned",
    placement: "pooled",
    initial: "work",
    delays: { date: { anchor: variable("date"), offset: "PT0S" } },
    states: {
      work: {
        on: {
          "action.do.ok": [{ target: "dear", guard: { "==": [{ var: "execution.id" }, COSTLY] } }, { target: "wait" }],
        },
      },
      wait: { after: { date: "end" } },
      dear: { after: { PT5M: "round" } },
      round: {
        always: { target: "round", reenter: true, guard: endless, assign: { n: { "+": [variable("n"), 1] } } },
        on: { back: "wait" },
      },
      end: { type: "final" },
    },
    actions: [act("do", "work", { config: { fails: 1 } })],
  },
  ending: (state) => problemOf(state),
  calmly: (state) => (NEIGHBOURS.includes(state.id) ? lateness(state) : null),
});

function problemOf({ id, status, error, standsIn }: ExecutionState): string | null {
  const is = `${status} ${error?.type ?? "-"} ${standsIn ? "by a stand-in" : "itself"}`;
  const should =
    id === UNREADABLE
      ? "canceled - by a stand-in"
      : id === UNWRITABLE
        ? "failed not_storable itself"
        : id === COSTLY
          ? "failed rule_too_costly itself"
          : "completed - itself";
  return is === should ? null : `ended as ${is}, expected ${should}`;
}

/** All executions are due in the same turn, including the broken ones. Without other faults, none may be late. */
function lateness({ finishedAt }: ExecutionState): string | null {
  const lateMs = Number(finishedAt) - BEGIN - DUE_MS;
  return lateMs >= 0 && lateMs <= SECOND ? null : `ended ${lateMs} ms after it was due`;
}

/** Breaks the executions from a given moment: one row is left as newer code would leave it, another is refused. */
export function poison({ poison: of }: Scenario, host: (execution: string) => Host): void {
  if (!of) return;
  host(of.unreadable).spoil(of.unreadable);
  host(of.unwritable).refuse(of.unwritable, Infinity);
}

/** Checks that both are listed with their reasons, and neither after it has ended. */
export function listingProblems({ poison: of }: Scenario, { apart }: Pick<Catalog, "apart">): readonly string[] {
  if (!of) return [];
  const reasons: readonly (readonly [string, string])[] = [
    [of.unreadable, "99"],
    [of.unwritable, "refuses this row"],
  ];
  return reasons.flatMap(([id, why]) => {
    const told = apart.get(id) ?? [];
    if (!told.some((reason) => reason?.includes(why))) return [`${id} was never listed with its reason`];
    return told.at(-1) === null ? [] : [`${id} has ended, and is listed as if it were quarantined`];
  });
}
