// Scenarios with commands from outside: pauses, patches, cancellations, events in time or too late.
import type { ExecutionState } from "#schema/engine/state.ts";
import { meddling } from "./by-hand/verbs.ts";
import type { Chance } from "./kit/chance.ts";
import {
  act,
  BEGIN,
  endsAs,
  event,
  HOUR,
  MINUTE,
  rest,
  SECOND,
  three,
  type Scenario,
  type Script,
  type Verb,
} from "./scenario.ts";

export const paused = (chance: Chance): Scenario => {
  const atMs = chance.between(0, 4 * SECOND);
  const steps = [
    { atMs, verb: { kind: "pause" } as const },
    { atMs: atMs + chance.between(0, 20 * MINUTE), verb: { kind: "resume" } as const },
  ];
  return { ...rest, definition: { ...three, name: "paused" }, scripts: [{ execution: "exe_sim", steps }] };
};

export const anchored = (): Scenario => {
  const patch = (atMs: number, offset: number) => ({
    atMs,
    verb: { kind: "patch", variables: { date: BEGIN + offset } } as const,
  });
  return {
    ...rest,
    jumpMsMax: 5 * MINUTE,
    scripts: [{ execution: "exe_sim", steps: [patch(MINUTE, 8 * HOUR), patch(10 * MINUTE, 4 * HOUR)] }],
    definition: {
      kind: "machine",
      name: "anchored",
      initial: "wait",
      delays: {
        due: { anchor: { var: "execution.variables.date" } },
        before: { anchor: { var: "execution.variables.date" }, offset: "-PT1H" },
      },
      states: { wait: { after: { due: "send" } }, send: { on: { "action.letter.ok": "end" } }, end: { type: "final" } },
      actions: [act("reminder", "wait", { delay: "before" }), act("letter", "send")],
    },
  };
};

export const race = (timer: string, atMs: number, ending: Scenario["ending"]): Scenario => ({
  ...rest,
  jumpMsMax: 5 * MINUTE,
  ending,
  scripts: [{ execution: "exe_sim", steps: [{ atMs, verb: event("answered", { yes: true }) }] }],
  definition: {
    kind: "machine",
    name: `race_${timer.toLowerCase()}`,
    initial: "ask",
    states: {
      ask: { on: { answered: "yes" }, after: { [timer]: "no" } },
      yes: { on: { "action.thank.ok": "end" } },
      no: { on: { "action.remind.ok": "end" } },
      end: { type: "final" },
    },
    actions: [act("question", "ask", { cancelOnExit: false }), act("thank", "yes"), act("remind", "no")],
  },
});

export const canceled = (chance: Chance): Scenario => ({
  ...rest,
  ending: endsAs("completed", "canceled"),
  definition: { ...three, name: "canceled" },
  scripts: [{ execution: "exe_sim", steps: [{ atMs: chance.between(0, 8 * SECOND), verb: { kind: "cancel" } }] }],
});

const alive = ({ status }: ExecutionState): string | null =>
  ["completed", "canceled", "paused"].includes(status) ? null : `ended as ${status}`;

/** Two clients that send commands to one execution independently. */
export const duel = (chance: Chance): Scenario => {
  const verb = (at: number): Verb =>
    chance.pick<Verb>([
      { kind: "pause" },
      { kind: "resume" },
      { kind: "resume" },
      { kind: "patch", variables: { mark: at, date: BEGIN + chance.between(1, 60) * MINUTE } },
      { kind: "runNow", target: { action: "two" } },
      { kind: "runNow", target: { timer: "wait/after/due" } },
      event("go.on"),
      ...(chance.yes(0.1) ? [{ kind: "cancel" } as const] : []),
    ]);
  const script = (): Script => ({
    execution: "exe_sim",
    steps: Array.from({ length: 8 }, (_, at) => ({ atMs: chance.between(0, 10 * MINUTE), verb: verb(at) })).toSorted(
      (a, b) => a.atMs - b.atMs,
    ),
  });
  return {
    ...rest,
    variables: { date: BEGIN + 30 * MINUTE },
    scripts: [
      script(),
      script(),
      meddling(chance.fork("by hand"), "exe_sim", { nodes: [], timers: ["wait/after/due"] }),
    ],
    // A skipped run leaves nothing to wait for, once the work beside it has ended.
    ending: (state) => (state.error?.type === "stuck" ? null : alive(state)),
    definition: {
      kind: "machine",
      name: "duel",
      initial: "a",
      concurrency: 2,
      delays: { due: { anchor: { var: "execution.variables.date" } } },
      states: {
        a: { on: { "action.one.ok": "wait" } },
        wait: { after: { due: "b" }, on: { "go.on": "b" } },
        b: { on: { "action.two.ok": "end" } },
        end: { type: "final" },
      },
      actions: [
        act("one", "a"),
        act("two", "b", { delay: "PT20S" }),
        act("beside", "wait", { delay: "due", cancelOnExit: false }),
      ],
    },
  };
};
