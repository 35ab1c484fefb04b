// Journeys in the simulated world: moved dates, pauses, skips, forks and joins, a repeated node, a child, goals with
// compensation, and random graphs.
import type { JsonObject } from "#schema/json.ts";
import type { Chance } from "../kit/chance.ts";
import { meddling } from "../by-hand/verbs.ts";
import { BEGIN, endsAs, event, HOUR, MINUTE, rest, SECOND, type Scenario, type Script } from "../scenario.ts";
import { act, journey, patch, patient } from "./nodes.ts";
import { postponed } from "./postponed.ts";

/** Each part comes long after the one before, so that delays by faults change nothing. */
const wedded = (chance: Chance): Scenario => {
  const pausedAt = chance.between(0, 2 * MINUTE);
  const date = { anchor: { var: "execution.variables.date" } };
  return {
    ...rest,
    jumpMsMax: 5 * MINUTE,
    variables: { list: ["a", "b", "c"], wanted: false },
    scripts: [
      {
        execution: "exe_sim",
        steps: [
          { atMs: pausedAt, verb: { kind: "pause" } },
          { atMs: pausedAt + chance.between(1, 10) * MINUTE, verb: { kind: "resume" } },
          patch(20 * MINUTE, { date: BEGIN + 20 * HOUR }),
          { atMs: 40 * MINUTE, verb: event("answered", { yes: true }) },
          patch(60 * MINUTE, { date: BEGIN + 12 * HOUR }),
        ],
      },
    ],
    definition: journey("wedded", {
      delays: {
        before: { ...date, offset: "-PT6H" },
        long: { ...date, offset: "-P1D", ifPast: "skip" },
        onTheDay: date,
      },
      initial: ["hold", "reminder", "thanks"],
      nodes: {
        hold: act("hold", "fork", { config: { fails: 2 } }),
        fork: { type: "split", ways: [{ weight: 1, next: ["letters", "ask"] }] },
        letters: {
          type: "each",
          over: { var: "execution.variables.list" },
          node: {
            type: "webhook",
            config: { say: "{{ item }}", fails: 1 },
            retryPolicy: patient,
            timeout: 10 * SECOND,
          },
          next: "both",
        },
        ask: {
          type: "wait",
          for: [{ event: "answered", assign: { yes: { var: "message.payload.yes" } } }],
          timeout: { after: "P3D", next: "missed" },
          next: "both",
        },
        missed: act("missed", "both"),
        both: act("both", "choice"),
        choice: { type: "branch", cases: [{ guard: { var: "execution.variables.yes" }, next: "yes" }, { next: "no" }] },
        yes: act("yes", "later"),
        no: act("no", "later"),
        later: { type: "delay", for: "PT20M", next: "unwanted" },
        unwanted: act("unwanted", "end", { condition: { var: "execution.variables.wanted" } }),
        end: act("end"),
        reminder: act("reminder", "early", { delay: "before" }),
        early: act("early", undefined, { delay: "long" }),
        thanks: act("thanks", undefined, { delay: "onTheDay", window: { from: "08:00", to: "22:00" } }),
      },
    }),
  };
};

/** Compensation: completed actions are undone, the last first, however often an attempt fails. */
const unwound = (): Scenario => takenBack("{{ node.result.did }}");

const takenBack = (seen: string): Scenario => {
  const undo = (say: string): JsonObject => ({
    type: "webhook",
    config: { say: `undo ${say} ${seen}`, fails: 2 },
    retryPolicy: patient,
    timeout: 10 * SECOND,
  });
  return {
    ...rest,
    jumpMsMax: 5 * MINUTE,
    scripts: [{ execution: "exe_sim", steps: [{ atMs: 2 * HOUR, verb: event("off") }] }],
    definition: journey("unwound", {
      exitWhen: [{ event: "off", outcome: "canceled", compensate: true }],
      nodes: {
        one: act("one", "two", { undo: undo("one"), config: { fails: 1 } }),
        two: act("two", "three", { undo: undo("two") }),
        three: act("three", "never", { undo: undo("three"), config: { fails: 1 } }),
        never: { type: "wait", for: [{ event: "never" }] },
      },
    }),
  };
};

/** The goal is reached while calls are in flight: when they are undone, their outcome is either known or unknown. */
const unwoundMidway = (chance: Chance): Scenario => ({
  // A call with an unknown outcome has no result.
  ...takenBack("{{ node.name }}"),
  scripts: [{ execution: "exe_sim", steps: [{ atMs: chance.between(0, MINUTE), verb: event("off") }] }],
  ending: endsAs("canceled"),
});

/** A journey whose child is a machine's execution, as the simulated world starts it. */
const nested = (): Scenario => ({
  ...rest,
  jumpMsMax: HOUR,
  starts: [
    { atMs: 0, executions: ["exe_parent"] },
    { atMs: MINUTE, executions: ["exe_child"] },
  ],
  parents: { exe_child: "exe_parent" },
  definition: journey("nested", {
    nodes: {
      who: {
        type: "branch",
        cases: [{ guard: { "==": [{ var: "execution.id" }, "exe_parent"] }, next: "asks" }, { next: "works" }],
      },
      asks: { type: "journey", definition: "nested", retryPolicy: patient, next: "after" },
      after: act("after"),
      works: act("works", undefined, { config: { fails: 1 } }),
    },
  }),
});

const MOST = 14;

/** A random graph: nodes lead to later nodes only, and every awaited event is sent. */
const wandering = (chance: Chance): Scenario => wanderingWith(chance, () => []);

/** A random graph with an operator who skips nodes, ends waits and holds runs: the journey ends nevertheless. */
const wanderingByHand = (chance: Chance): Scenario =>
  wanderingWith(chance, (nodes, written) => {
    const timers = nodes.flatMap((name) => (written[name]?.type === "delay" ? [`${name}/delay`] : [`${name}/timeout`]));
    return [0, 1].map((who) => meddling(chance.fork(`by hand ${who}`), "exe_sim", { nodes, timers }));
  });

type Nodes = { readonly [name: string]: JsonObject };

const wanderingWith = (
  chance: Chance,
  more: (names: readonly string[], nodes: Nodes) => readonly Script[],
): Scenario => {
  const names = Array.from({ length: chance.between(4, MOST) }, (_, at) => `n${at}`);
  const nodes = Object.fromEntries(names.map((name, at) => [name, anyNode(chance, name, names.slice(at + 1))]));
  const led = new Set(Object.values(nodes).flatMap(targets));
  const steps = ["x", "y"].map((type) => ({ atMs: chance.between(1, 40) * MINUTE, verb: event(type) }));
  return {
    ...rest,
    jumpMsMax: 5 * MINUTE,
    ending: endsAs("completed"),
    scripts: [{ execution: "exe_sim", steps: steps.toSorted((a, b) => a.atMs - b.atMs) }, ...more(names, nodes)],
    definition: journey("wandering", {
      concurrency: chance.between(1, 4),
      initial: names.filter((name) => !led.has(name)),
      nodes,
    }),
  };
};

function anyNode(chance: Chance, name: string, later: readonly string[]): JsonObject {
  const next = (): string | undefined =>
    later.length > 0 && chance.yes(0.8) ? later[chance.between(0, later.length - 1)] : undefined;
  const said = (to: string | undefined): JsonObject => (to === undefined ? {} : { next: to });
  const join = chance.pick<JsonObject>([{}, {}, { join: "any" }]);
  switch (chance.between(0, 5)) {
    case 0:
      return { type: "delay", for: chance.between(1, 20) * MINUTE, ...said(next()), ...join };
    case 1: {
      const timeout = { after: chance.between(1, 60) * MINUTE, ...said(next()) };
      return { type: "wait", for: [{ event: chance.pick(["x", "y"]), ...said(next()) }], timeout, ...join };
    }
    case 2:
      return { type: "branch", cases: [{ guard: chance.yes(0.5), ...said(next()) }, said(next())], ...join };
    case 3: {
      const config = { say: name, fails: chance.between(0, 1) };
      const node = { type: "webhook", config, retryPolicy: patient, timeout: 10 * SECOND };
      return { type: "each", times: chance.between(1, 4), node, ...said(next()), ...join };
    }
    default: {
      const fork = later.filter(() => chance.yes(0.3)).slice(0, 3);
      const more = { condition: chance.yes(0.8), config: { fails: chance.between(0, 2) } };
      return { ...act(name, fork.length > 0 ? fork : undefined, more), ...join };
    }
  }
}

function targets(node: JsonObject): readonly string[] {
  const { next = [], cases = [], for: ways, timeout = {} } = node as Record<string, never>;
  const inner = [
    ...(cases as JsonObject[]),
    ...(Array.isArray(ways) ? (ways as JsonObject[]) : []),
    timeout as JsonObject,
  ];
  return [next, ...inner.map((way) => way["next"] ?? [])].flat() as string[]; // names, or lists of names
}

export const journeys = { wedded, postponed, unwound, unwoundMidway, nested, wandering, wanderingByHand };
