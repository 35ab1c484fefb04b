// The player: runs one execution on a virtual clock, and passes each next input to the kernel's step, ticks included.
// Its caller supplies the results of attempts: assumed or rehearsed results. A play lives inside one computation, is
// changed in place, and is never stored.
import type { Effect } from "#schema/engine/effect.ts";
import type { Actor, Command, StartCommand } from "#schema/engine/input.ts";
import type { Confirmation, OutboxRef } from "#schema/engine/outbox.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { runsInProgress } from "#schema/engine/reconciling.ts";
import type { Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { accept, type Refusal, type Result } from "#schema/refusal.ts";
import type { AssumedInput } from "#schema/virtual/assumptions.ts";
import type { Cut, RefusedInput } from "#schema/virtual/expected.ts";
import type { Computation } from "../computing/computation.ts";
import { nextWake } from "../waiting/next-instants.ts";
import type { AcceptedStep } from "../execution/step.ts";
import { childRequests } from "../execution/children/children-on-end.ts";
import { outboxOf } from "../execution/outbox/outbox.ts";
import { taskUpdates } from "../execution/tasks/tasks.ts";
import { durationMs } from "../language/timing.ts";
import type { Program } from "../execution/program.ts";
import { taskOf } from "./assumed-results.ts";
import { addToAgenda, type Agenda, type Coming, type Due } from "./agenda.ts";
import { commandOf } from "./command-of-input.ts";
import { playStep, type PlayBudget } from "./play-step.ts";
import { observe, openRecord, type PlayRecord } from "./play-record.ts";
import { SURE, type Why } from "./assumption-causes.ts";

export type PlayAsk = {
  readonly program: Program;
  readonly start: StartCommand;
  readonly startAt: number;
  /** Later inputs are not played. Epoch ms. */
  readonly until: number;
  readonly given: readonly AssumedInput[];
  readonly stepsMax: number;
  readonly actionsMax: number;
  readonly purse: PlayBudget;
  readonly watch?: Watch;
  /** If false, expected runs have no configs. */
  readonly contents?: boolean;
};
/** Called after each step. */
export type Watch = (command: Command, stepped: AcceptedStep, at: number) => void;

export type Play = {
  readonly ask: PlayAsk;
  readonly agenda: Agenda;
  readonly record: PlayRecord;
  readonly notTaken: RefusedInput[];
  /** Dispatched runs, to be claimed next. */
  readonly sent: Dispatch[];
  /** Given inputs that become due when a state or node is reached. */
  awaiting: readonly Awaiting[];
  state: ExecutionState;
  now: number;
  stepsLeft: number;
  cut: Cut | null;
};
type Awaiting = { readonly given: AssumedInput; readonly n: number; readonly reached: string; readonly after: number };
type Dispatch = Extract<Effect, { kind: "dispatch" }>;

/** An attempt in progress, whose outcome and end the caller supplies. */
export type AttemptInProgress = {
  readonly run: Run;
  readonly attempt: number;
  readonly at: number;
  readonly timeoutMs: number;
};

const PLAYER: Actor = { kind: "engine", id: "virtual" };
/**
 * Number of direct calls that the virtual cell can start. It contains only this execution, so the number never limits
 * it.
 */
const ROOM = 1_000;

/** Starts an execution on a virtual clock. Refused if the kernel refuses the start. */
export function* openPlay(ask: PlayAsk): Computation<Result<Play>> {
  const stepped = yield* playStep(ask.program, null, { ...ask.start, now: ask.startAt, room: ROOM }, ask.purse);
  if (!stepped.ok) return stepped;
  const play: Play = {
    ask,
    agenda: [],
    notTaken: [],
    sent: [],
    cut: null,
    record: openRecord(ask.program, ask.contents !== false),
    awaiting: [],
    state: stepped.state,
    now: ask.startAt,
    stepsLeft: ask.stepsMax,
  };
  play.awaiting = ask.given.flatMap((given, n): Awaiting[] => {
    const { at } = given;
    if (typeof at === "object") return [{ given, n, reached: at.reached, after: durationMs(at.after ?? 0) }];
    addToAgenda(play.agenda, instantOf(at, ask.startAt), { kind: "given", given, n });
    return [];
  });
  ask.watch?.(ask.start, stepped, play.now);
  yield* follow(play, stepped, SURE);
  return accept(play);
}

export function instantOf(at: string | number, startAt: number): number {
  const isDuration = typeof at === "number" || /^[+-]?P/.test(at);
  return isDuration ? startAt + durationMs(at) : Date.parse(at);
}

/** Plays until an attempt is in progress. null if nothing is left, or if a limit is reached. */
export function* nextAsked(play: Play): Computation<AttemptInProgress | null> {
  for (;;) {
    const dispatched = play.cut === null ? play.sent.shift() : undefined;
    const asked = dispatched === undefined ? null : yield* claim(play, dispatched);
    if (asked !== null) return asked;
    if (dispatched === undefined && !(yield* goOn(play))) return null;
  }
}

/**
 * The instant at which the play continues: at once after a dispatch, otherwise at the next input; null if there is
 * none.
 */
export function nextInstant(play: Play): number | null {
  if (play.sent.length > 0) return play.now;
  const wake = wakeOf(play);
  const next = comesFirst(play, wake)?.at ?? wake;
  return next === null ? null : Math.max(next, play.now);
}

/** Supplies the outcome of the attempt, at the instant of its end. `follows`: later events of the engine. */
export function answerAsked(
  play: Play,
  { run, attempt }: AttemptInProgress,
  outcome: Outcome,
  follows: readonly LaterEvent[] = [],
): void {
  addToAgenda(play.agenda, outcome.endedAt, { kind: "settle", run: run.id, attempt, outcome });
  for (const { at, ...told } of follows) addToAgenda(play.agenda, at, { kind: "told", ...told });
}

/** Plays until all supplied outcomes, and all inputs given for an earlier time, are processed. */
export function* takeAnswers(play: Play): Computation<void> {
  while (play.agenda.length > 0 && play.sent.length === 0 && (yield* goOn(play))) continue;
}

export type LaterEvent = { readonly at: number } & Omit<Extract<Coming, { kind: "told" }>, "kind">;

function* goOn(play: Play): Computation<boolean> {
  if (play.cut !== null) return false;
  const wake = wakeOf(play);
  const coming = comesFirst(play, wake);
  const next = coming?.at ?? wake;
  if (next === null) return false;
  if (next > play.ask.until) {
    play.cut = "until";
    return false;
  }
  play.now = Math.max(next, play.now);
  if (coming === null) yield* take(play, { kind: "tick" }, SURE);
  else {
    play.agenda.shift();
    yield* arrive(play, coming.coming);
  }
  return true;
}

/**
 * The next input from outside if it comes before the next wake; otherwise null. At one instant, automatic work comes
 * before a given input.
 */
function comesFirst({ agenda }: Play, wake: number | null): Due | null {
  const [due] = agenda;
  if (due === undefined) return null;
  const isFirst = wake === null || due.at < wake || (due.at === wake && due.coming.kind !== "given");
  return isFirst ? due : null;
}

/** The next wake of the execution. After its end only the last attempts are awaited. */
function wakeOf({ state, now }: Play): number | null {
  if (isFinalStatus(state.status) && !state.runs.some(({ status }) => status === "running")) return null;
  return nextWake(state, now);
}

function* arrive(play: Play, coming: Coming): Computation<void> {
  switch (coming.kind) {
    case "settle": {
      const { run, attempt, outcome } = coming;
      yield* take(play, { kind: "settle", run, attempt, outcome }, SURE);
      return;
    }
    case "told": {
      const { event, assumes } = coming;
      const { id } = event;
      const command = { kind: "event", event, inputId: id, fingerprint: "", actor: PLAYER } as const;
      const refused = yield* take(play, command, [assumes]);
      if (refused) play.notTaken.push({ at: play.now, what: event.type, given: null, ...reasonOf(refused) });
      return;
    }
    case "given": {
      const { given, n } = coming;
      const made = commandOf(given, n, play.state, PLAYER);
      const refused = made.ok ? yield* take(play, made.value.command, [made.value.assumes]) : made.refusal;
      if (refused) play.notTaken.push({ at: play.now, what: verbOf(given), given: n, ...reasonOf(refused) });
    }
  }
}

function verbOf({ event, at: _at, ...verb }: AssumedInput): string {
  return event ?? Object.keys(verb).join(" ");
}

function reasonOf({ code, message }: Refusal): { readonly code: string; readonly message: string } {
  return { code, message };
}

function* claim(play: Play, { run: id, attempt, lane }: Dispatch): Computation<AttemptInProgress | null> {
  yield* take(play, { kind: "claim", run: id, attempt, lane }, SURE);
  const run = runsInProgress(play.state).find((each) => each.id === id);
  if (run?.status !== "running" || run.attempt !== attempt || run.deadlineAt === null) return null;
  return { run, attempt, at: play.now, timeoutMs: run.deadlineAt - play.now };
}

/** Applies one command. Returns the refusal, or null. */
function* take(play: Play, command: Command, cause: Why): Computation<Refusal | null> {
  if (isSpent(play)) return null;
  const { program, purse } = play.ask;
  const stepped = yield* playStep(program, play.state, { ...command, now: play.now, room: ROOM }, purse);
  if (!stepped.ok) return stepped.refusal;
  play.state = stepped.state;
  play.ask.watch?.(command, stepped, play.now);
  yield* follow(play, stepped, cause);
  return null;
}

function isSpent(play: Play): boolean {
  const { purse, actionsMax } = play.ask;
  if (play.stepsLeft <= 0 || purse.steps <= 0) play.cut = "steps";
  else if (purse.work <= 0) play.cut = "work";
  else if (play.record.rows.size > actionsMax) play.cut = "actions";
  play.stepsLeft -= 1;
  purse.steps -= 1;
  return play.cut !== null;
}

/** Records the step, and performs its effects at once. */
function* follow(play: Play, stepped: AcceptedStep, cause: Why): Computation<void> {
  play.ask.purse.work -= stepped.work;
  yield* observe(play.record, stepped, cause);
  meet(play);
  for (const effect of stepped.effects) {
    if (effect.kind === "dispatch") play.sent.push(effect);
    if (effect.kind === "send") yield* confirmOutbox(play);
  }
}

/** Confirms all messages at once, as if each recipient had received its message. */
function* confirmOutbox(play: Play): Computation<void> {
  const { state, ask } = play;
  const items = [...updated(state), ...requested(state), ...outboxOf(state).flatMap(received)];
  // The end of a subject changes no expected run, so it is confirmed only if steps are watched.
  const isExpected = items.some(({ kind }) => kind !== "subject_ended") || ask.watch !== undefined;
  if (isExpected) yield* take(play, { kind: "confirmed", incarnation: state.createdAt, items }, SURE);
}

function received({ kind, key }: OutboxRef): readonly Confirmation[] {
  if (kind === "child_ended") return [{ kind, key, refused: null }];
  return kind === "correlation_key" || kind === "subject_ended" ? [{ kind, key }] : [];
}

/** Confirms task updates as if each had taken effect. */
function updated(state: ExecutionState): readonly Confirmation[] {
  return taskUpdates(state).map(({ key, run }) => {
    const title = String(state.runs.find(({ id }) => id === run)?.config?.["title"]);
    const task = { id: taskOf(run), title, assignee: null, priority: null, dueAt: null, escalatedFrom: null };
    return { kind: "task_update", key, found: "open", task };
  });
}

/** Confirms child requests: a child is canceled if requested, and an awaited child has ended at once. */
function requested(state: ExecutionState): readonly Confirmation[] {
  return childRequests(state).map(({ kind, key, run, execution }) => {
    const found = kind === "cancel" ? "canceled" : "ended";
    return { kind: "child_request", key, run, found, execution, at: state.updatedAt };
  });
}

/** Schedules the given inputs that wait for a state or node that was reached. */
function meet(play: Play): void {
  const { awaiting, record, agenda, now } = play;
  if (awaiting.length === 0) return;
  for (const { given, n, after } of awaiting.filter(({ reached }) => record.reached.has(reached))) {
    addToAgenda(agenda, now + after, { kind: "given", given, n });
  }
  play.awaiting = awaiting.filter(({ reached }) => !record.reached.has(reached));
}
