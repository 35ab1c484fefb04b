// Drives one execution through the kernel, a line of the test for each event. After every step: the state is plain JSON,
// the step repeated, also with pauses, gives the same bytes, and every invariant holds. A failure shows the history.
import { compile } from "#kernel/programs/compile.ts";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import type { Program } from "#kernel/execution/program.ts";
import { brokenInvariants } from "#kernel/invariants/invariants.ts";
import { step, type StepResult, type AcceptedStep } from "#kernel/execution/step.ts";
import { machineDefinition, type MachineDefinition } from "#schema/definition/definition.ts";
import type { ControlCommand } from "#schema/engine/cell.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Command, Input, RunNowTarget, StartCommand } from "#schema/engine/input.ts";
import type { JournalEntry, TimerMove } from "#schema/engine/journal.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import type { Refusal } from "#schema/refusal.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ExecutionState, Timer } from "#schema/engine/state.ts";
import { frozen, isJson } from "./driving/plain-json.ts";
import { stepPaused } from "./driving/paused-step.ts";
import { lineOf } from "./journal-line.ts";

/** A Monday morning; every instant of a trace is told from here. */
export const T0 = Date.UTC(2026, 0, 5, 9, 0);
export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

const actor = { kind: "key", id: "key_1" } as const;
let asked = 0;

/** From outside: each a request of its own, unless it is told which one it repeats. */
export function outside(inputId: string | undefined) {
  asked += 1;
  return { inputId: inputId ?? `in-${asked}`, fingerprint: "f", actor };
}

type Begin = { readonly fingerprint?: string; readonly pooled?: boolean } & Partial<
  Pick<StartCommand, "parent" | "standalone" | "subject" | "desired">
>;

type Bare<C> = C extends Command ? Omit<C, "inputId" | "fingerprint" | "actor" | "reason"> : never;
type Verb = Exclude<Bare<ControlCommand>, { kind: "event" | "observe" }>;

type Heal = { readonly times: number | null };
type RetryEdit = { config?: JsonObject; variables?: JsonObject; force?: true; once?: true; heal?: Heal };
export const ask = {
  start: (variables: JsonObject = {}, { fingerprint = "f", pooled = false, ...more }: Begin = {}): Command => ({
    kind: "start",
    inputId: "start-1",
    execution: "exe_1",
    tenant: "acme",
    namespace: "default",
    definition: { id: "def_1", name: "sample", version: 1 },
    placement: pooled ? "pooled" : "own",
    variables,
    correlationId: null,
    fingerprint,
    actor,
    ...more,
  }),
  event: (type: string, payload: Json = null, inputId?: string): Command => {
    const from = outside(inputId);
    return { kind: "event", event: { id: from.inputId, type, payload, source: "test", correlationId: null }, ...from };
  },
  patch: (variables: JsonObject): Command => ({ kind: "patch", variables, reason: null, ...outside(undefined) }),
  pause: (reason: string | null = null): Command => ({ kind: "pause", reason, ...outside(undefined) }),
  resume: (): Command => ({ kind: "resume", reason: null, ...outside(undefined) }),
  cancel: (reason: string | null = null): Command => ({ kind: "cancel", reason, ...outside(undefined) }),
  runNow: (target: RunNowTarget): Command => ({ kind: "runNow", target, reason: null, ...outside(undefined) }),
  retry: (run: string, edit: RetryEdit = {}, inputId?: string): Command => {
    const { config = null, variables = null, ...how } = edit;
    return { kind: "retry", run, config, variables, reason: null, ...how, ...outside(inputId) };
  },
  archive: (run: string, reason: string | null = null): Command => {
    return { kind: "archive", run, reason, ...outside(undefined) };
  },
  erase: (reason: string | null = null): Command => ({ kind: "erase", reason, ...outside(undefined) }),
  /** Any other verb. */
  verb: (verb: Verb, more: { readonly ifState?: string } = {}): Command => {
    return { ...verb, reason: null, ...outside(undefined), ...more };
  },
  claim: (run: string, attempt: number, by?: Run["claimedBy"]): Command => {
    return { kind: "claim", run, attempt, lane: "queue", ...(by ? { by } : {}) };
  },
  settle: (run: string, attempt: number, outcome: Outcome): Command => ({ kind: "settle", run, attempt, outcome }),
  undeliverable: (run: string, attempt: number, message = "m1"): Command => {
    return { kind: "undeliverable", run, attempt, message };
  },
  orphaned: (...runs: string[]): Command => ({ kind: "orphaned", runs }),
  parentNotified: (refused: string | null = null, took = {}): Command => {
    const item = { kind: "child_ended", key: "exe_parent", refused, ...took } as const;
    return { kind: "confirmed", incarnation: T0, items: [item] };
  },
  tick: (): Command => ({ kind: "tick" }),
};

export function success(part: Partial<Extract<Outcome, { ok: true }>> = {}): Outcome {
  return { ok: true, result: null, events: [], startedAt: T0, endedAt: T0, ...part };
}

export function failure(
  error: Partial<ActionError> = {},
  part: Pick<Extract<Outcome, { ok: false }>, "retryAfterMs" | "costEstimate" | "events"> = {},
): Outcome {
  const base = { type: "service_unavailable", message: "503", retryable: true };
  return { ok: false, error: { ...base, ...error }, startedAt: T0, endedAt: T0, ...part };
}

/** A definition with what every definition needs; refused if its shape is wrong. */
export function machine(part: Partial<MachineDefinition> & Pick<MachineDefinition, "states">): MachineDefinition {
  const initial = part.type === "parallel" ? {} : { initial: Object.keys(part.states)[0] };
  return machineDefinition.parse({ kind: "machine", name: "sample", ...initial, ...part });
}

/** A webhook action, said briefly. Without a window and a cap, it fits a machine and a standalone action. */
export function action(actionId: string, part: Partial<Unlimited> = {}): Unlimited {
  return { actionId, type: "webhook", config: { url: "https://example.com" }, ...part };
}

type Part = Parameters<typeof machine>[0];
type Unlimited = Omit<NonNullable<MachineDefinition["actions"]>[number], "window" | "cap">;

export type Drive = ReturnType<typeof drive>;

export function drive(part: Part, room = 0) {
  const definition = machine(part);
  return driveProgram([compile(definition), compile(definition)], room);
}

/** Two of the same, so that each step is made twice. `begin` is what it is started with beside its variables. */
export function driveProgram(programs: readonly [Program, Program], room = 0, begin: Begin = {}) {
  const { definition } = programs[0];
  let state: ExecutionState | null = null;
  let now = T0;
  let suspended = false;
  let linesRead = 0;
  const entries: JournalEntry[] = [];
  const inputs: Input[] = [];
  let effects: readonly Effect[] = [];
  let moves: readonly TimerMove[] = [];
  let beside: Pick<AcceptedStep, "notMoved" | "cameBack"> = { notMoved: [], cameBack: [] };
  let repeated = false;

  const fail = (input: Command, what: string): never => {
    throw new Error(
      `${what}\nafter ${JSON.stringify(input)}\nstate ${JSON.stringify(state)}\n${entries.map(lineOf).join("\n")}`,
    );
  };

  const stepTwice = (command: Command): StepResult => {
    const input = frozen({ ...command, now, room, ...(suspended ? { suspended } : {}) });
    inputs.push(input);
    const [program, other] = programs;
    const first = step(program, state, input);
    const again = stepPaused(other, state, input);
    if (JSON.stringify(first) !== JSON.stringify(again)) fail(command, "the same step gave other bytes");
    return first;
  };

  const take = (command: Command): void => {
    const stepped = stepTwice(command);
    if (!stepped.ok) return fail(command, `refused: ${stepped.refusal.code}, ${stepped.refusal.message}`);
    adopt(command, stepped);
  };

  const adopt = (command: Command, stepped: AcceptedStep): void => {
    const found = state;
    const before = state?.seq ?? 0;
    const same = JSON.stringify(stepped.state) === JSON.stringify(state);
    if (!isJson(stepped.state)) fail(command, "the state is not plain JSON");
    state = frozen(JSON.parse(JSON.stringify(stepped.state)) as ExecutionState);
    entries.push(...stepped.entries);
    beside = stepped;
    ({ effects, moves, repeated } = stepped);
    if (state.seq !== before + (same ? 0 : 1)) fail(command, `seq went from ${before} to ${state.seq}`);
    if (same && stepped.entries.length > 0) fail(command, "an unchanged state has entries");
    stepped.entries.forEach((entry, n) => {
      if (entry.seq !== stepped.state.seq || entry.n !== n || entry.at !== now)
        fail(command, `numbered wrong: ${lineOf(entry)}`);
    });
    const broken = brokenInvariants({
      program: programs[0],
      before: found,
      input: { ...command, now, room, ...(suspended ? { suspended } : {}) },
      state: stepped.state === found ? found : state,
      effects,
      entries: stepped.entries,
    });
    if (broken.length > 0) fail(command, `broken: ${broken.join("; ")}`);
  };

  const living = (): ExecutionState => state ?? fail(ask.tick(), "it was never started");

  /** By its id, or the newest run of an action; unfinished ones first. */
  const run = (name: string): Run => {
    const named = living().runs.filter(({ id, action: of }) => id === name || of === name);
    return (
      named.findLast(({ status }) => !isFinalRun(status)) ??
      named.at(-1) ??
      fail(ask.tick(), `there is no run of ${name}`)
    );
  };

  const driver = {
    definition,
    program: programs[0],
    get state() {
      return living();
    },
    get status() {
      return living().status;
    },
    /** Where it stands: paths of the innermost active states. */
    get at() {
      return living().position.states.join(", ");
    },
    get entries(): readonly JournalEntry[] {
      return entries;
    },
    /** As the kernel got them: a trace worth keeping becomes a golden history. */
    get inputs(): readonly Input[] {
      return inputs;
    },
    /** Of the last step. */
    get effects() {
      return effects;
    },
    get moves() {
      return moves;
    },
    get beside() {
      return beside;
    },
    get repeated() {
      return repeated;
    },
    /** When it wakes, from T0. */
    get wake() {
      const at = nextWake(living(), now);
      return at === null ? null : at - T0;
    },
    run,
    runs: (): string[] => living().runs.map(({ action: of, status }) => `${of} ${status}`),
    timer: (id: string): Timer => living().timers.find((each) => each.id === id) ?? fail(ask.tick(), `no timer ${id}`),
    timers: (): Record<string, number | null> =>
      Object.fromEntries(living().timers.map(({ id, at }) => [id, at === null ? null : at - T0])),
    /** What the journal says since this was last asked. */
    newLines: (): string[] => {
      const lines = entries.slice(linesRead).map(lineOf);
      linesRead = entries.length;
      return lines;
    },
    take: (command: Command) => (take(command), driver),
    /** As it may have been stored, by code of another time. */
    become: (stored: ExecutionState) => ((state = frozen(stored)), driver),
    /** Whether it is accepted or refused. */
    attempt: (command: Command) => {
      const stepped = stepTwice(command);
      if (stepped.ok) adopt(command, stepped);
      return driver;
    },
    /** What it answers to something it does not do; nothing has changed then. */
    refused: (command: Command): Refusal => {
      const stepped = stepTwice(command);
      return stepped.ok ? fail(command, "it was accepted") : stepped.refusal;
    },
    /** From here on the tenant is suspended, or goes on. */
    suspend: (is = true) => {
      suspended = is;
      return driver;
    },
    /** Moves the clock, and nothing else happens. */
    clock: (ms: number) => {
      now = T0 + ms;
      return driver;
    },
    tickAt: (ms: number) => driver.clock(ms).take(ask.tick()),
    start: (variables: JsonObject = {}) => driver.take(ask.start(variables, begin)),
    event: (type: string, payload: Json = null) => driver.take(ask.event(type, payload)),
    patch: (variables: JsonObject) => driver.take(ask.patch(variables)),
    pause: () => driver.take(ask.pause()),
    resume: () => driver.take(ask.resume()),
    cancel: () => driver.take(ask.cancel()),
    verb: (verb: Verb) => driver.take(ask.verb(verb)),
    runNow: (target: RunNowTarget) => driver.take(ask.runNow(target)),
    retry: (name: string, edit: Parameters<typeof ask.retry>[1] = {}) => driver.take(ask.retry(run(name).id, edit)),
    archive: (name: string, reason: string | null = null) => driver.take(ask.archive(run(name).id, reason)),
    claim: (name: string) => driver.take(ask.claim(run(name).id, run(name).attempt)),
    claimAll: () => {
      for (const { id, status } of living().runs) if (status === "queued") driver.claim(id);
      return driver;
    },
    settle: (name: string, outcome: Outcome) => driver.take(ask.settle(run(name).id, run(name).attempt, outcome)),
    /** Claimed and settled, as the queue would. */
    ok: (name: string, part: Parameters<typeof success>[0] = {}) => driver.claim(name).settle(name, success(part)),
    miss: (name: string, error: Partial<ActionError> = {}) => driver.claim(name).settle(name, failure(error)),
  };
  return driver;
}
