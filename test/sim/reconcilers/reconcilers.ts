// Reconcilers: late, doubled and stale observations, a failing collector, aborted actions, and shutdown.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Chance } from "../kit/chance.ts";
import { act, BEGIN, endsAs, MINUTE, rest, SECOND, type Scenario, type Verb } from "../scenario.ts";

type States = ReconcilerDefinition["states"];

/** An action that only rules start. */
const call = (actionId: string, more: Parameters<typeof act>[2] = {}) => {
  const { triggerState: _triggerState, ...action } = act(actionId, "", more);
  return action;
};
const is = (path: string): JsonObject => ({ var: path });

const reconciler = (name: string, part: Partial<ReconcilerDefinition> & { readonly states: States }) => ({
  kind: "reconciler" as const,
  name,
  tick: SECOND,
  initial: "Starting",
  onShutdown: "Stopping",
  actions: [call("start"), call("stop")],
  ...part,
});

const observe = (observed: JsonObject, atMs: number): Verb => ({
  kind: "observe",
  observed,
  observedAt: BEGIN + atMs,
  ifRevision: null,
});
const desire = (desired: JsonObject): Verb => ({ kind: "desire", desired, mode: "merge", ifRevision: null });

const states: States = {
  Starting: {
    rules: [
      { when: is("observed.running"), target: "Running" },
      { when: { "!": [is("action.succeeded")] }, emit: "start" },
    ],
  },
  Running: { rules: [{ when: { "!": [is("observed.running")] }, target: "Starting" }] },
  Stopping: {
    rules: [
      { when: { "!": [is("observed.running")] }, signal: "remove" },
      { when: { "!=": [is("action.actionName"), "stop"] }, emit: "stop" },
    ],
  },
};

/** Observations that arrive late: the newest counts, whatever the order. */
const told = (chance: Chance): Scenario => {
  const seen = chance.between(20 * SECOND, 2 * MINUTE);
  const gone = seen + chance.between(MINUTE, 20 * MINUTE);
  const one = (steps: Scenario["scripts"][number]["steps"]) => ({ execution: "exe_sim", steps });
  return {
    ...rest,
    ending: endsAs("completed"),
    calmly: ranAndStopped,
    scripts: [
      one([
        { atMs: seen, verb: observe({ running: true }, seen) },
        { atMs: gone, verb: desire({ shutdownRequested: true }) },
        { atMs: gone + MINUTE, verb: observe({ running: false }, gone + MINUTE) },
      ]),
      one([
        { atMs: seen + SECOND, verb: observe({ running: false }, seen - 10 * SECOND) },
        { atMs: gone + 2 * MINUTE, verb: observe({ running: true, late: true }, seen + SECOND) },
      ]),
    ],
    definition: reconciler("told", { states }),
  };
};

/** Stale observations decide nothing; a repeated observation keeps its data fresh. */
const stale = (chance: Chance): Scenario => {
  const at = chance.between(2 * MINUTE, 5 * MINUTE);
  const steps = [
    { atMs: SECOND, verb: observe({ go: true }, -MINUTE) },
    { atMs: at, verb: observe({ go: true }, at - 10 * MINUTE) },
    { atMs: at + 200 * MINUTE, verb: observe({ go: true }, at + 200 * MINUTE) },
  ];
  return {
    ...rest,
    ending: endsAs("completed"),
    scripts: [{ execution: "exe_sim", steps }],
    definition: reconciler("stale", {
      onShutdown: "Done",
      initial: "Waiting",
      staleAfter: 30 * SECOND,
      states: { Waiting: { rules: [{ when: is("observed.go"), target: "Done" }] }, Done: { type: "final" } },
    }),
    // Only the last observation was fresh when it arrived, however long it took.
    jumpMsMax: 5 * SECOND,
  };
};

/** A reconciler with a collector, whatever happens to the collector; it acts once per observation. */
const collected = (chance: Chance): Scenario => ({
  ...rest,
  // It writes so often that a store which refuses its row repeatedly may exceed the limit.
  ending: ({ status, error }) =>
    status === "completed" || error?.type === "not_storable" ? null : `ended as ${status}, ${error?.message}`,
  jumpMsMax: 10 * MINUTE,
  scripts: [
    {
      execution: "exe_sim",
      steps: [{ atMs: chance.between(MINUTE, 10 * MINUTE), verb: desire({ shutdownRequested: true }) }],
    },
  ],
  definition: reconciler("collected", {
    tick: 2 * SECOND,
    collector: {
      action: "look",
      every: 20 * SECOND,
      timeout: 5 * SECOND,
      observed: { eachKey: { running: { "==": [is("action.actionName"), "start"] }, did: is("result.did") } },
    },
    actions: [call("start"), call("stop"), call("look", { config: { fails: 0 } })],
    states,
  }),
});

/** A slow action that is aborted: by a cancellation, or by shutdown. */
const calledOff = (chance: Chance): Scenario => {
  const atMs = chance.between(0, 20 * SECOND);
  const isCanceled = chance.yes(0.5);
  const end = isCanceled ? ({ kind: "cancel" } as const) : desire({ shutdownRequested: true });
  return {
    ...rest,
    ending: endsAs(isCanceled ? "canceled" : "completed", ...(isCanceled ? (["completed"] as const) : [])),
    scripts: [{ execution: "exe_sim", steps: [{ atMs, verb: end }] }],
    definition: reconciler("attempt_canceled", {
      onShutdown: { target: "Done", cancelAction: true },
      actions: [call("start", { config: { takesMs: 6 * SECOND } })],
      states: { Starting: { rules: [{ emit: "start" }] }, Done: { type: "final" } },
    }),
  };
};

/** A rule that reads the time, evaluated at every tick. */
const timed = (): Scenario => ({
  ...rest,
  definition: reconciler("timed", {
    tick: 10 * SECOND,
    onShutdown: "Done",
    actions: [],
    states: {
      Starting: {
        rules: [
          { when: { ">": [{ date: is("now") }, { "+": [{ date: is("state.since") }, 3 * MINUTE] }] }, target: "Done" },
        ],
      },
      Done: { type: "final" },
    },
  }),
});

function ranAndStopped({ runs }: ExecutionState): string | null {
  const did = runs.filter(({ status }) => status === "ok").map(({ action }) => action);
  return did.includes("start") && did.at(-1) === "stop" ? null : `did ${did.join(", ") || "nothing"}`;
}

export const reconcilers = { told, stale, collected, calledOff, timed };
