// The scenarios, by name. Most must end under faults as they end without; races state which endings are valid.
import type { Chance } from "./kit/chance.ts";
import { asking } from "./asking/asking.ts";
import { children } from "./children.ts";
import { families } from "./families/families.ts";
import { generated } from "./generated.ts";
import { journeys } from "./journeys/journeys.ts";
import { keyed } from "./keyed.ts";
import { poisoned } from "./poisoned.ts";
import { queued } from "./queued/carried.ts";
import { reconcilers } from "./reconcilers/reconcilers.ts";
import { retried } from "./retrying/retrying.ts";
import { anchored, canceled, duel, paused, race } from "./command-operations.ts";
import { alone, pausedByFailure, redriven, redrivenAfterEnd, redrivenLate } from "./redriven.ts";
import { act, endsAs, event, HOUR, MINUTE, rest, SECOND, three, type Scenario, type Script } from "./scenario.ts";

const plus = (name: string) => ({ [name]: { "+": [{ var: `execution.variables.${name}` }, 1] } });
const reached = (name: string, count: number) => ({ ">=": [{ var: `execution.variables.${name}` }, count] });

const sequence = (): Scenario => ({ ...rest, definition: three });

const purged = (): Scenario => ({ ...rest, definition: { ...three, name: "purged", retention: "PT30M" } });

const regions = (): Scenario => {
  const region = (name: string) => ({
    initial: "go",
    states: { go: { on: { [`action.${name}.ok`]: "end" } }, end: { type: "final" as const } },
  });
  return {
    ...rest,
    definition: {
      kind: "machine",
      name: "regions",
      concurrency: 3,
      initial: "all",
      states: {
        all: { type: "parallel", states: { x: region("inX"), y: region("inY"), z: region("inZ") }, onDone: "last" },
        last: { on: { "action.after.ok": "end" } },
        end: { type: "final" },
      },
      actions: [
        act("inX", "all.x.go"),
        act("inY", "all.y.go", { lane: "queue" }),
        act("inZ", "all.z.go"),
        act("after", "last"),
      ],
    },
  };
};

const delays = (): Scenario => ({
  ...rest,
  definition: {
    kind: "machine",
    name: "delays",
    initial: "wait",
    states: {
      wait: { after: { PT10M: "soon" } },
      soon: { on: { "action.later.ok": "again" } },
      again: { after: { "1500": "end" } },
      end: { type: "final" },
    },
    actions: [act("later", "soon", { delay: "PT5M" })],
  },
});

const exhausted = (): Scenario => ({
  ...rest,
  definition: {
    kind: "machine",
    name: "exhausted",
    initial: "try",
    states: {
      try: { on: { "action.doomed.failed": "mend", "action.doomed.ok": "end" } },
      mend: { on: { "action.repair.ok": "ask" } },
      ask: { on: { "gave.up": "end" } },
      end: { type: "final" },
    },
    actions: [
      act("doomed", "try", { config: { doom: true }, retryPolicy: { maxAttempts: 3, baseDelay: 2 * SECOND } }),
      act("repair", "mend"),
      act("question", "ask", {
        config: { doom: true },
        retryPolicy: { maxAttempts: 2 },
        onExhausted: { event: "gave.up" },
        priority: 95,
      }),
    ],
  },
});

const slots = (): Scenario => {
  const names = ["p0", "p1", "p2", "p3", "p4", "p5", "p6"];
  return {
    ...rest,
    variables: { count: 0 },
    definition: {
      kind: "machine",
      name: "slots",
      concurrency: 3,
      initial: "go",
      states: {
        go: {
          on: Object.fromEntries(names.map((name) => [`action.${name}.ok`, { assign: plus("count") }])),
          always: { target: "end", guard: reached("count", names.length) },
        },
        end: { type: "final" },
      },
      actions: names.map((name, at) =>
        act(name, "go", { priority: at * 10, config: { fails: at % 3 }, timeout: 8 * SECOND }),
      ),
    },
  };
};

const pool = (chance: Chance): Scenario => {
  const executions = Array.from({ length: 6 }, (_, at) => `exe_sim${at}_p3`);
  const batch = executions.slice(0, 3);
  return {
    ...rest,
    variables: { count: 0 },
    starts: [
      { atMs: 0, executions: batch },
      ...executions.slice(3).map((id) => ({ atMs: chance.between(0, 2 * MINUTE), executions: [id] })),
    ],
    definition: {
      kind: "machine",
      name: "pool",
      placement: "pooled",
      concurrency: 2,
      initial: "go",
      states: {
        go: {
          on: Object.fromEntries(["a", "b", "c"].map((name) => [`action.${name}.ok`, { assign: plus("count") }])),
          always: { target: "end", guard: reached("count", 3) },
        },
        end: { type: "final" },
      },
      actions: [
        act("a", "go", { lane: "direct" }),
        act("b", "go", { lane: "queue" }),
        act("c", "go", { config: { fails: 1 } }),
      ],
    },
  };
};

/** More slow actions than a consumer has slots: most messages are requeued repeatedly, and none may be given up. */
const slow = (): Scenario => {
  const executions = Array.from({ length: 12 }, (_, at) => `exe_sim${at}_p3`);
  return {
    ...rest,
    jumpMsMax: MINUTE,
    starts: [{ atMs: 0, executions }],
    definition: {
      kind: "machine",
      name: "slow",
      placement: "pooled",
      initial: "go",
      states: {
        go: { on: { "action.long.ok": "more" } },
        more: { on: { "action.next.ok": "end" } },
        end: { type: "final" },
      },
      actions: [
        act("long", "go", { timeout: 14 * MINUTE, config: { takesMs: 25 * SECOND } }),
        act("next", "more", { timeout: 2 * MINUTE, lane: "queue", config: { takesMs: SECOND } }),
      ],
    },
  };
};

/** A cell that has been emptied, with its storage, and is used again. */
const emptied = (): Scenario => ({
  ...rest,
  jumpMsMax: 5 * MINUTE,
  starts: [0, 5, 5.2, 10].map((hours, at) => ({ atMs: hours * HOUR, executions: [`exe_sim${at}_p3`] })),
  definition: { ...three, name: "emptied", placement: "pooled", retention: "PT10M" },
});

/** Ids reused after their retention, in a pool and outside. Each incarnation has fewer attempts than the last. */
const reborn = (): Scenario => ({
  ...rest,
  jumpMsMax: 5 * MINUTE,
  starts: [{ atMs: 0, executions: ["exe_sim0_p3", "exe_sim1_p3"] }],
  again: [5 * HOUR, 10 * HOUR],
  definition: {
    ...three,
    name: "reborn",
    placement: "pooled",
    retention: "PT10M",
    actions: [act("one", "a", { config: { fails: 3 } }), act("two", "b", { config: { fails: 2 } }), act("three", "c")],
  },
});

const rebornAlone = (): Scenario => ({
  ...reborn(),
  starts: [{ atMs: 0, executions: ["exe_sim"] }],
  definition: { ...reborn().definition, name: "reborn_alone", placement: "own" },
});

/** Many events, each counted once: a lost or duplicated event shows in the count. */
const chatty = (chance: Chance): Scenario => {
  const count = 60;
  const steps = Array.from({ length: count }, (_, at) => ({
    atMs: at * chance.between(0, 20 * SECOND),
    verb: event("tick", { at }),
  }));
  const half = (from: number): Script => ({ execution: "exe_sim", steps: steps.filter((_, at) => at % 2 === from) });
  return {
    ...rest,
    variables: { count: 0 },
    scripts: [half(0), half(1)],
    definition: {
      kind: "machine",
      name: "chatty",
      initial: "first",
      states: {
        first: { on: { "action.hello.ok": "count" } },
        count: { on: { tick: { assign: plus("count") } }, always: { target: "end", guard: reached("count", count) } },
        end: { type: "final" },
      },
      actions: [act("hello", "first", { config: { fails: 2, emits: "greeted" } })],
    },
  };
};

const cron = (): Scenario => ({
  ...rest,
  jumpMsMax: 20 * MINUTE,
  ending: endsAs("completed"),
  definition: {
    kind: "machine",
    name: "cron",
    initial: "watch",
    states: { watch: { after: { PT2H: "end" } }, end: { type: "final" } },
    actions: [act("look", "watch", { schedule: "*/10 * * * *", maxLateness: "PT5M" })],
  },
});

const late = (): Scenario => ({
  ...rest,
  ending: endsAs("completed"),
  definition: {
    kind: "machine",
    name: "late",
    concurrency: 2,
    initial: "go",
    states: {
      go: { on: { "action.soon.ok": "end", "action.soon.skipped": "end", "action.soon.failed": "end" } },
      end: { type: "final" },
    },
    actions: [
      act("soon", "go", { maxLateness: "PT1M", config: { fails: 3 } }),
      act("beside", "go", { maxLateness: 2_000, delay: 500 }),
    ],
  },
});

export const scenarios: { readonly [name: string]: (chance: Chance) => Scenario } = {
  sequence,
  purged,
  paused,
  regions,
  delays,
  anchored,
  exhausted,
  pausedByFailure,
  slots,
  eventWins: () => race("PT3H", 20 * MINUTE, "calm"),
  timerWins: () => race("PT10M", 4 * HOUR, "calm"),
  eitherWins: () => race("PT15M", 15 * MINUTE, endsAs("completed")),
  pool,
  slow,
  emptied,
  reborn,
  rebornAlone,
  chatty,
  cron,
  late,
  canceled,
  duel,
  redriven,
  redrivenAfterEnd,
  alone,
  generated: (chance) => generated(chance, "own"),
  generatedPool: (chance) => generated(chance, "pooled"),
  keyed,
  redrivenLate,
  children,
  poisoned,
  asking,
  ...journeys,
  ...reconcilers,
  ...families,
  ...queued,
  ...retried,
};
