// The player: runs one execution on a virtual clock. It passes each next input, ticks included, to the kernel's step.
// Its caller supplies the results of attempts, assumed or rehearsed. A play is changed in place during one computation,
// and never stored.
import type { Effect } from "#schema/engine/effect.ts";
import type { Actor, Command, StartCommand } from "#schema/engine/input.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { runsInProgress } from "#schema/engine/reconciling.ts";
import type { Run } from "#schema/engine/run.ts";
import { isBeforeFirstMove } from "#schema/key-limits/start-place.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { accept, type Refusal, type Result } from "#schema/refusal.ts";
import type { AssumedInput } from "#schema/virtual/assumptions.ts";
import type { CutReason, RefusedInput } from "#schema/virtual/expected-actions.ts";
import type { Computation } from "../computing/computation.ts";
import { nextWake } from "../waiting/next-instants.ts";
import type { AcceptedStep } from "../execution/step.ts";
import { durationMs } from "../language/timing.ts";
import type { Program } from "../execution/program.ts";
import { addToAgenda, type Agenda, type AgendaInput, type AgendaEntry } from "./agenda.ts";
import { commandOfInput } from "./command-of-input.ts";
import { confirmationsOf } from "./outbox-confirmations.ts";
import { playStep, type PlayBudget } from "./play-step.ts";
import type { PlaceTurn, StartLimits } from "./start-turns.ts";
import { recordStep, openRecord, type PlayRecord } from "./play-record.ts";
import { NO_ASSUMPTIONS, type AssumptionList } from "./assumption-causes.ts";

export type PlaySettings = {
  readonly program: Program;
  readonly start: StartCommand;
  readonly startAt: number;
  /** The last instant of the play, in epoch ms. Later inputs are not played. */
  readonly until: number;
  readonly given: readonly AssumedInput[];
  readonly stepsMax: number;
  readonly actionsMax: number;
  readonly budget: PlayBudget;
  readonly watch?: Watch;
  /** Decides about a start with limits. If absent, every start is admitted. */
  readonly startLimits?: StartLimits;
  /** False if the record must not contain the configs of runs. */
  readonly contents?: boolean;
};
/** Called after each step of the play. */
export type Watch = (command: Command, stepped: AcceptedStep, at: number) => void;

export type Play = {
  readonly settings: PlaySettings;
  readonly agenda: Agenda;
  readonly record: PlayRecord;
  readonly notTaken: RefusedInput[];
  /** Runs that are dispatched. They are claimed next. */
  readonly dispatched: Dispatch[];
  /**
   * Inputs of the client that name a state or node that is not reached yet. Each becomes due when its state or node is
   * reached.
   */
  awaiting: readonly AwaitingInput[];
  state: ExecutionState;
  now: number;
  stepsLeft: number;
  cut: CutReason | null;
  /** True while the execution waits for an answer of the limits on its start. */
  asksForPlace: boolean;
};
type AwaitingInput = {
  readonly given: AssumedInput;
  readonly n: number;
  readonly reached: string;
  readonly after: number;
};
type Dispatch = Extract<Effect, { kind: "dispatch" }>;

/** An attempt in progress. The caller then supplies its outcome and the instant of its end. */
export type AttemptInProgress = {
  readonly run: Run;
  readonly attempt: number;
  readonly at: number;
  readonly timeoutMs: number;
};

const PLAYER: Actor = { kind: "engine", id: "virtual" };
/**
 * The number of direct calls that the virtual cell can start. It is high enough never to limit the only execution of
 * this cell.
 */
const DIRECT_SLOTS = 1_000;

/** Starts an execution on a virtual clock. Returns the refusal if the kernel refuses the start. */
export function* openPlay(settings: PlaySettings): Computation<Result<Play>> {
  const stepped = yield* playStep(
    settings.program,
    null,
    { ...settings.start, now: settings.startAt, room: DIRECT_SLOTS },
    settings.budget,
  );
  if (!stepped.ok) return stepped;
  const play: Play = {
    settings: settings,
    agenda: [],
    notTaken: [],
    dispatched: [],
    cut: null,
    asksForPlace: isBeforeFirstMove(stepped.state),
    record: openRecord(settings.program, settings.contents !== false),
    awaiting: [],
    state: stepped.state,
    now: settings.startAt,
    stepsLeft: settings.stepsMax,
  };
  play.awaiting = settings.given.flatMap((given, n): AwaitingInput[] => {
    const { at } = given;
    if (typeof at === "object") return [{ given, n, reached: at.reached, after: durationMs(at.after ?? 0) }];
    addToAgenda(play.agenda, instantOf(at, settings.startAt), { kind: "given", given, n });
    return [];
  });
  settings.watch?.(settings.start, stepped, play.now);
  yield* performEffects(play, stepped, NO_ASSUMPTIONS);
  return accept(play);
}

export function instantOf(at: string | number, startAt: number): number {
  const isDuration = typeof at === "number" || /^[+-]?P/.test(at);
  return isDuration ? startAt + durationMs(at) : Date.parse(at);
}

/** The next attempt, or the next request to the limits on the start. Returns null if the play is over. */
export function* nextTurn(play: Play): Computation<AttemptInProgress | PlaceTurn | null> {
  for (;;) {
    if (play.asksForPlace && play.cut === null) return { asksAt: play.now };
    const dispatched = play.cut === null ? play.dispatched.shift() : undefined;
    const asked = dispatched === undefined ? null : yield* claimAttempt(play, dispatched);
    if (asked !== null) return asked;
    if (dispatched === undefined && !(yield* playNextInput(play))) return null;
  }
}

/**
 * The instant at which the play continues: now if a run is dispatched, otherwise the instant of the next input. null if
 * no input is left.
 */
export function nextInstant(play: Play): number | null {
  if (play.dispatched.length > 0) return play.now;
  const wake = wakeOf(play);
  const next = nextInputFromOutside(play, wake)?.at ?? wake;
  return next === null ? null : Math.max(next, play.now);
}

/**
 * Supplies the outcome of the attempt at the instant of its end. `follows`: events that the engine sends later because
 * of this outcome.
 */
export function supplyOutcome(
  play: Play,
  { run, attempt }: AttemptInProgress,
  outcome: Outcome,
  laterEvents: readonly LaterEvent[] = [],
): void {
  addToAgenda(play.agenda, outcome.endedAt, { kind: "settle", run: run.id, attempt, outcome });
  for (const { at, ...told } of laterEvents) addToAgenda(play.agenda, at, { kind: "told", ...told });
}

/** Plays until all supplied outcomes are processed. Inputs that are due before them are processed too. */
export function* playSuppliedOutcomes(play: Play): Computation<void> {
  while (play.agenda.length > 0 && play.dispatched.length === 0 && (yield* playNextInput(play))) continue;
}

export type LaterEvent = { readonly at: number } & Omit<Extract<AgendaInput, { kind: "told" }>, "kind">;

function* playNextInput(play: Play): Computation<boolean> {
  if (play.cut !== null) return false;
  const wake = wakeOf(play);
  const coming = nextInputFromOutside(play, wake);
  const next = coming?.at ?? wake;
  if (next === null) return false;
  if (next > play.settings.until) {
    play.cut = "until";
    return false;
  }
  play.now = Math.max(next, play.now);
  if (coming === null) yield* applyCommand(play, { kind: "tick" }, NO_ASSUMPTIONS);
  else {
    play.agenda.shift();
    yield* applyAgendaInput(play, coming.coming);
  }
  return true;
}

/**
 * The next input from outside if it is due before the next wake, otherwise null. At the same instant the wake comes
 * first.
 */
function nextInputFromOutside({ agenda }: Play, wake: number | null): AgendaEntry | null {
  const [due] = agenda;
  if (due === undefined) return null;
  const isFirst = wake === null || due.at < wake || (due.at === wake && due.coming.kind !== "given");
  return isFirst ? due : null;
}

/**
 * The next wake of the execution. After the end of the execution, no wake is left but the play still waits for the last
 * attempts.
 */
function wakeOf({ state, now }: Play): number | null {
  if (isFinalStatus(state.status) && !state.runs.some(({ status }) => status === "running")) return null;
  return nextWake(state, now);
}

function* applyAgendaInput(play: Play, coming: AgendaInput): Computation<void> {
  switch (coming.kind) {
    case "settle": {
      const { run, attempt, outcome } = coming;
      yield* applyCommand(play, { kind: "settle", run, attempt, outcome }, NO_ASSUMPTIONS);
      return;
    }
    case "told": {
      const { event, assumes } = coming;
      const { id } = event;
      const command = { kind: "event", event, inputId: id, fingerprint: "", actor: PLAYER } as const;
      const refused = yield* applyCommand(play, command, [assumes]);
      if (refused) play.notTaken.push({ at: play.now, what: event.type, given: null, ...reasonOf(refused) });
      return;
    }
    case "given": {
      const { given, n } = coming;
      const made = commandOfInput(given, n, play.state, PLAYER);
      const refused = made.ok ? yield* applyCommand(play, made.value.command, [made.value.assumes]) : made.refusal;
      if (refused) play.notTaken.push({ at: play.now, what: inputName(given), given: n, ...reasonOf(refused) });
    }
  }
}

function inputName({ event, at: _at, ...verb }: AssumedInput): string {
  return event ?? Object.keys(verb).join(" ");
}

function reasonOf({ code, message }: Refusal): { readonly code: string; readonly message: string } {
  return { code, message };
}

function* claimAttempt(play: Play, { run: id, attempt, lane }: Dispatch): Computation<AttemptInProgress | null> {
  yield* applyCommand(play, { kind: "claim", run: id, attempt, lane }, NO_ASSUMPTIONS);
  const run = runsInProgress(play.state).find((each) => each.id === id);
  if (run?.status !== "running" || run.attempt !== attempt || run.deadlineAt === null) return null;
  return { run, attempt, at: play.now, timeoutMs: run.deadlineAt - play.now };
}

/** Applies one command. Returns the refusal if the command is refused, otherwise null. */
export function* applyCommand(play: Play, command: Command, cause: AssumptionList): Computation<Refusal | null> {
  if (isLimitReached(play)) return null;
  const { program, budget } = play.settings;
  const stepped = yield* playStep(program, play.state, { ...command, now: play.now, room: DIRECT_SLOTS }, budget);
  if (!stepped.ok) return stepped.refusal;
  play.state = stepped.state;
  play.settings.watch?.(command, stepped, play.now);
  yield* performEffects(play, stepped, cause);
  return null;
}

function isLimitReached(play: Play): boolean {
  const { budget, actionsMax } = play.settings;
  if (play.stepsLeft <= 0 || budget.steps <= 0) play.cut = "steps";
  else if (budget.work <= 0) play.cut = "work";
  else if (play.record.rows.size > actionsMax) play.cut = "actions";
  play.stepsLeft -= 1;
  budget.steps -= 1;
  return play.cut !== null;
}

/** Records the step, and carries out its effects immediately. */
function* performEffects(play: Play, stepped: AcceptedStep, cause: AssumptionList): Computation<void> {
  play.settings.budget.work -= stepped.work;
  yield* recordStep(play.record, stepped, cause);
  scheduleReachedInputs(play);
  for (const effect of stepped.effects) {
    if (effect.kind === "dispatch") play.dispatched.push(effect);
    if (effect.kind === "send") yield* confirmOutbox(play);
  }
}

/** Confirms all messages of the outbox, as if each recipient had received its message immediately. */
function* confirmOutbox(play: Play): Computation<void> {
  const { state, settings } = play;
  const items = confirmationsOf(state);
  if (isBeforeFirstMove(state) && !isFinalStatus(state.status)) play.asksForPlace = true;
  // The message about the end for the subject changes none of the compared runs. It is confirmed only for callers that
  // watch every step.
  const isExpected = items.some(({ kind }) => kind !== "subject_ended") || settings.watch !== undefined;
  if (isExpected) yield* applyCommand(play, { kind: "confirmed", incarnation: state.createdAt, items }, NO_ASSUMPTIONS);
}

/** Inputs of the client may wait for a state or node. Adds those to the agenda whose state or node is reached now. */
function scheduleReachedInputs(play: Play): void {
  const { awaiting, record, agenda, now } = play;
  if (awaiting.length === 0) return;
  for (const { given, n, after } of awaiting.filter(({ reached }) => record.reached.has(reached))) {
    addToAgenda(agenda, now + after, { kind: "given", given, n });
  }
  play.awaiting = awaiting.filter(({ reached }) => !record.reached.has(reached));
}
