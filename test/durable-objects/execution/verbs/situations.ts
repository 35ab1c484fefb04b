// Executions of every kind in every status, with their runs, for the table of verbs.
import type { InputItem } from "#objects/execution/apply-input.ts";
import type { Definition } from "#schema/definition/definition.ts";
import { journeyDefinition } from "#schema/definition/journey.ts";
import { reconcilerDefinition } from "#schema/definition/reconciler.ts";
import type { ControlCommand } from "#schema/engine/cell.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, ask, failure, hour, machine, second, success, T0 } from "#test/support/drive.ts";
import { begin, start } from "../cell.ts";
import { openWatchedCell, type WatchedCell } from "./watched-cell.ts";

export const ID = "exe_1_p1";

/** One execution in a cell of its own, and the parts of it that a verb may name. */
export type World = {
  readonly cell: WatchedCell;
  readonly run: string;
  readonly timer: string;
  readonly node: string;
  readonly action: string;
};
type Verb = Parameters<typeof ask.verb>[0];
type Part = Parameters<typeof action>[1];

export const control = async ({ cell }: Pick<World, "cell">, command: ControlCommand, dryRun = false) => {
  const [answer] = await cell.calls().control([{ execution: ID, command, dryRun }]);
  if (answer === undefined) throw new Error("one was asked for");
  return answer;
};

async function must(world: World, verb: Verb): Promise<World> {
  const answer = await control(world, ask.verb(verb) as ControlCommand); // every verb is a control command
  if (!answer.ok) throw new Error(`${verb.kind}: ${answer.refusal.message}`);
  return world;
}

/** How an execution of a kind is started, changed and ended. */
type Kind = {
  readonly begin: (part?: Part) => Promise<World>;
  readonly ends: { readonly [status in "completed" | "failed"]: () => Promise<World> };
  /** Further situations, besides those of its run. */
  readonly others: { readonly [situation: string]: () => Promise<World> };
};

const later = { delay: "PT1H" } as const;
const retryPolicy = { maxAttempts: 3, backoffStrategy: "fixed", baseDelay: 600_000 } as const;

async function opened(item: InputItem, names: Omit<World, "cell" | "run">): Promise<World> {
  const cell = openWatchedCell();
  const [begun] = await cell.take(item);
  if (!begun?.ok) throw new Error(`it did not begin: ${begun?.refusal.message}`);
  await cell.settled();
  return { cell, run: newestRun(cell), ...names };
}

function newestRun(cell: WatchedCell): string {
  return cell.read(ID)?.runs.at(-1)?.id ?? "0.0";
}

const mail = (part: Part = {}) => action("mail", { lane: "queue", retryPolicy, ...part });

const machineOf = (part: Part = {}, more: object = {}): Definition =>
  machine({
    states: {
      a: { on: { go: "b", "action.mail.ok": "b", "action.mail.skipped": "c" }, after: { P1D: "b" }, ...more },
      b: { on: { back: "a", end: "done", lose: "lost" } },
      c: { on: { back: "a" } },
      done: { type: "final" },
      lost: { type: "final", outcome: "failed" },
    },
    actions: [mail({ triggerState: "a", ...part })],
  });
const ofMachine = { timer: "a/after/P1D", node: "a", action: "mail" };

const machines: Kind = {
  begin: (part) => opened(begin(ID, machineOf(part)), ofMachine),
  ends: {
    completed: async () => sent(await sent(await machines.begin(), "go"), "end"),
    failed: async () => sent(await sent(await machines.begin(), "go"), "lose"),
  },
  others: { "no run": async () => sent(await machines.begin(), "go", { timer: "none", node: "b" }) },
};

async function sent(world: World, type: string, more: Partial<World> = {}): Promise<World> {
  const answer = await control(world, ask.event(type) as ControlCommand); // an event is a control command
  if (!answer.ok) throw new Error(answer.refusal.message);
  await world.cell.settled();
  return { ...world, ...more };
}

type Nodes = { readonly [name: string]: JsonObject };
const acting: JsonObject = { type: "webhook", config: { url: "https://example.com" }, lane: "queue", retryPolicy };
const open: JsonObject = { ...acting, onExhausted: "deadLetter" };
const journeyOf = (nodes: Nodes): Definition => {
  const [initial] = Object.keys(nodes);
  return journeyDefinition.parse({
    kind: "journey",
    name: "sample",
    initial: [initial, "beside"],
    exitWhen: [{ event: "lose", outcome: "failed" }],
    nodes: {
      ...nodes,
      next: { type: "wait", for: [{ event: "go" }] },
      beside: { type: "delay", for: "P1D", next: "last" },
      last: { type: "wait", for: [{ event: "end" }] },
    },
  });
};
const ofJourney = { timer: "beside/delay", node: "a", action: "a" };
const begunAt = (a: JsonObject, more: Partial<World> = {}) =>
  opened(begin(ID, journeyOf({ a: { next: "next", ...a } })), { ...ofJourney, ...more });

const journeys: Kind = {
  begin: ({ delay, ...part } = {}) =>
    begunAt({ ...open, ...(delay === undefined ? {} : { delay: "PT1H" }), ...(part as JsonObject) }), // the parts are plain JSON
  ends: {
    completed: async () => {
      const world = await begunAt({ type: "delay", for: 0 });
      await must(await sent(world, "go"), { kind: "skip", target: { node: "beside" } });
      return sent(world, "end", { run: "0.0" });
    },
    failed: async () => sent(await begunAt({ type: "delay", for: "PT1H" }), "lose"),
  },
  others: {
    "at a wait": () => begunAt({ type: "wait", for: [{ event: "go" }] }),
    "at a delay": () => begunAt({ type: "delay", for: "PT1H" }, { timer: "a/delay" }),
    "awaiting a task": async () => {
      const asking = { ...acting, type: "task", config: { title: "?" }, await: { for: ["task_completed"] } };
      return settle(await claim(await begunAt(asking)), success());
    },
    "a node ahead": async () => ({ ...(await begunAt({ type: "delay", for: "PT1H" })), node: "next" }),
  },
};

const standalone = (part: Part = {}) => ({ action: { ...mail(), ...part, actionId: "call" }, dedup: null });
const ofAction = { timer: "none", node: "act", action: "call" };
const actions: Kind = {
  begin: (part) => opened(start(ID, "begin", standalone(part)), ofAction),
  ends: {
    completed: async () => settle(await claim(await actions.begin()), success()),
    failed: async () => {
      const world = await settle(await claim(await actions.begin()), failure({ retryable: false }));
      return must(world, { kind: "archive", run: world.run });
    },
  },
  others: {},
};

const running = { "!": [{ var: "observed.up" }] };
const reconcilerOf = (part: Part = {}): Definition =>
  reconcilerDefinition.parse({
    kind: "reconciler",
    name: "sample",
    tick: "PT1S",
    initial: "Starting",
    states: {
      Starting: {
        rules: [
          { when: { var: "observed.gone" }, target: "Lost" },
          { when: { var: "observed.up" }, signal: "remove" },
          { when: running, emit: "mail" },
        ],
      },
      Lost: { type: "final", outcome: "failed" },
    },
    actions: [mail(part)],
  });
const ofReconciler = { timer: "none", node: "Starting", action: "mail" };

async function observed(world: World, seen: JsonObject, atMs: number): Promise<World> {
  const observe = { kind: "observe", observed: seen, observedAt: null, ifRevision: null } as const;
  const { reason: _none, ...command } = ask.verb(observe as unknown as Verb) as ControlCommand & { reason: null };
  await control(world, command as ControlCommand); // the command has no reason
  world.cell.at(atMs);
  await world.cell.calls().poke([ID]);
  await world.cell.settled();
  return { ...world, run: newestRun(world.cell) };
}

const idle = () => opened(begin(ID, reconcilerOf()), ofReconciler);
const reconcilers: Kind = {
  begin: async (part) => observed(await opened(begin(ID, reconcilerOf(part)), ofReconciler), { up: false }, second),
  ends: {
    completed: async () => observed(await idle(), { up: true }, second),
    failed: async () => observed(await idle(), { gone: true, up: true }, second),
  },
  others: { "no run": idle },
};

async function claim(world: World): Promise<World> {
  const { run, cell } = world;
  const attempt = cell.read(ID)?.runs.find(({ id }) => id === run)?.attempt ?? 0;
  const [claimed] = await cell.calls().claimMany([{ execution: ID, run, attempt }]);
  if (!claimed?.ok) throw new Error(`not claimed: ${claimed?.refusal.message}`);
  return world;
}

async function settle(world: World, outcome: Outcome): Promise<World> {
  const { run, cell } = world;
  const attempt = cell.read(ID)?.runs.find(({ id }) => id === run)?.attempt ?? 0;
  await cell.calls().settleMany([{ execution: ID, run, attempt, outcome }]);
  await cell.settled();
  return world;
}

/** The action of a reconciler can only be held for its connection. */
const limited = { reason: "rate_limited", until: T0 + hour, connection: "c" } as const;
const heldBack = { ...failure(), held: limited } as Outcome; // a held outcome is a failure
const final = failure({ type: "malformed_request", retryable: false });

type Situations = { readonly [situation: string]: () => Promise<World> };

function ofRun(kind: Kind, isReconciler: boolean): Situations {
  return {
    scheduled: async () => (isReconciler ? settle(await claim(await kind.begin()), heldBack) : kind.begin(later)),
    queued: () => kind.begin(),
    "in flight": async () => claim(await kind.begin()),
    "in backoff": async () => settle(await claim(await kind.begin()), failure()),
    held: async () => {
      const world = await kind.begin();
      return must(world, { kind: "hold", run: world.run });
    },
    "dead letter": async () => settle(await claim(await kind.begin()), final),
  };
}

function ended(kind: Kind): Situations {
  return {
    completed: kind.ends.completed,
    failed: kind.ends.failed,
    canceled: async () => must(await kind.begin(later), { kind: "cancel" }),
    "canceled, a dead letter": async () =>
      must(await settle(await claim(await kind.begin()), final), { kind: "cancel" }),
  };
}

const kinds: { readonly [kind in Definition["kind"] | "action"]: Kind } = {
  machine: machines,
  journey: journeys,
  reconciler: reconcilers,
  action: actions,
};

export const situations: {
  readonly [kind in Definition["kind"] | "action"]: { readonly live: Situations; readonly ended: Situations };
} = { machine: of("machine"), journey: of("journey"), reconciler: of("reconciler"), action: of("action") };

function of(name: keyof typeof kinds) {
  const kind = kinds[name];
  const isReconciler = name === "reconciler";
  const endings = ended(kind);
  // The action waits for nothing, so it is canceled while it is queued.
  const canceled = async () => must(await kind.begin(), { kind: "cancel" });
  return {
    live: { ...ofRun(kind, isReconciler), ...kind.others },
    ended: isReconciler ? { ...endings, canceled } : endings,
  };
}

export async function paused(make: () => Promise<World>): Promise<World> {
  const world = await make();
  if (world.cell.read(ID)?.status !== "paused") await must(world, { kind: "pause" });
  await world.cell.settled();
  return world;
}
