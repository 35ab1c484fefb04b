// The driver of a program: delivers events to it, executes its commands, and continues until no event is left.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { VARIABLES_BYTES_MAX } from "#schema/limits/state-size.ts";
import { MACROSTEPS_MAX } from "#schema/limits/step-cost.ts";
import { isFinalStatus, type BufferedEvent, type ExecutionState } from "#schema/engine/state.ts";
import { cancelRuns } from "./run-endings.ts";
import { part, weigh } from "../computing/work.ts";
import type { Move, Program, ProgramCommand } from "./program.ts";
import { lookBack } from "./due/moved-dates.ts";
import { createRun, decideDue, dispatchDue, moveRuns } from "./runs.ts";
import { noteHeard } from "./retries/handled.ts";
import { jsonBytesAfter } from "../language/json-values.ts";
import { partFromChildren } from "./children/children-on-end.ts";
import { withdrawTasks } from "./tasks/tasks.ts";
import { dropTimer } from "./own-lists.ts";
import { arm, armSchedule, disarm, disarmAll, forgetPassed, moveTimers } from "./timers.ts";
import {
  actionOf,
  ruleError,
  change,
  currentState,
  note,
  storeTrigger,
  scopeFor,
  type Step,
  giveVerdict,
} from "./current-step.ts";

/**
 * Processes everything that the step caused: result events, kept events and free slots, until a verdict or the end of
 * the step. `until`: the instant before the next due work; later events and runs are left for the next call.
 */
export function drain(step: Step, until: number = step.now): void {
  while (!step.verdict) {
    const next = step.pending.shift() ?? firstWaiting(step, until);
    if (next) {
      if (countMacrostep(step)) deliverBuffered(step, next);
      continue;
    }
    if (until < step.now) decideDue(step, until);
    else dispatchDue(step);
    if (step.pending.length === 0) return;
  }
}

/** Counts an event or timer of this step. Returns false, with a fault, if there were too many. */
export function countMacrostep(step: Step): boolean {
  step.macrosteps += 1;
  if (step.macrosteps <= MACROSTEPS_MAX) return true;
  fault(step, `one input caused more than ${MACROSTEPS_MAX} further events, the limit (MACROSTEPS_MAX)`);
  return false;
}

/** Delivers an event that waited, or a result event of a run. */
export function deliverBuffered(step: Step, event: BufferedEvent): void {
  const { buffer } = step.state;
  const others = buffer.filter((each) => each !== event);
  if (others.length < buffer.length) {
    change(step, { buffer: others });
    note(step, { kind: "event_replayed", event: event.message.id, type: event.message.type });
  }
  handOver(step, event);
}

function handOver(step: Step, event: BufferedEvent): void {
  const { status, buffer } = step.state;
  if (isFinalStatus(status)) return;
  if (status === "paused") change(step, { buffer: [...buffer, { ...event, at: step.now }] });
  else if (event.origin === "run") hear(step, event);
  else replay(step, event);
}

/**
 * Delivers a result event of a run. If only an eventless transition used the occasion, the event counts as unhandled.
 */
function hear(step: Step, { message, planned = step.now }: BufferedEvent): void {
  const took = deliver(step, message, planned);
  if (took !== null && took.length > 0) noteHeard(step, message, took);
}

/**
 * Delivers an event that was kept. It can no longer be refused, because its sender got a success, so the journal
 * records the refusal that the sender would have got.
 */
function replay(step: Step, { message, at = step.now, planned = at }: BufferedEvent): void {
  const isLate = step.program.eventTiming(step.state.position, message.type) === "late";
  deliver(step, message, planned, { event: message.id, reason: isLate ? "event_too_late" : "event_not_accepted" });
}

type Kept = { readonly event: string; readonly reason: string };

/**
 * Delivers an event to the program, and records an unused event in the journal. Returns the states that accepted it, or
 * null.
 */
export function deliver(step: Step, message: EventMessage, planned: number, kept?: Kept): Taken {
  const { type, source } = message;
  const took = offer(step, message, planned);
  if (took === null) note(step, { kind: "event_ignored", type, source, ...kept });
  return took;
}

/**
 * The states that accepted an event; empty if only eventless transitions followed. null: the program did not use the
 * event.
 */
type Taken = readonly string[] | null;

/**
 * The first waiting event that the program accepts now and that arrived until `until`. Events of the engine are always
 * delivered.
 */
export function firstWaiting({ state, program }: Step, until: number): BufferedEvent | undefined {
  if (state.status === "paused" || isFinalStatus(state.status) || state.position.done) return undefined;
  return state.buffer.find(
    ({ message, origin, at = 0 }) =>
      at <= until && (origin === "run" || program.eventTiming(state.position, message.type) !== "later"),
  );
}

/**
 * Delivers an event without recording an unused one. `planned`: the instant that later delays count from; see
 * `Instants` in execution/program.ts.
 */
export function offer(step: Step, message: EventMessage, planned: number = step.now): Taken {
  const { position, variables } = step.state;
  const previous = currentState(step.state);
  const seen = { message, previousState: previous, currentState: previous };
  const at = { now: step.now, planned };
  const move = part(step.work, () =>
    step.program.react(position, variables, message.type, scopeFor(step, seen), step.work, at),
  );
  if (move === null) return null;
  applyMove(step, move, message, previous, message.type);
  return move.ok ? move.took : [];
}

/** Applies a program's move: stores the new position and variables, then executes its commands. */
export function applyMove(
  step: Step,
  move: Move,
  message: EventMessage | null,
  previous: string | null,
  by: string,
): void {
  if (!move.ok) return fault(step, move.message);
  const changed = changedIn(step.state.variables, move.variables);
  if (changed.length > 0) weigh(step.work, Object.keys(move.variables).length * UNITS_A_NAME);
  const size = changed.length === 0 ? 0 : jsonBytesAfter(step.state.variables, move.variables, changed);
  if (size > VARIABLES_BYTES_MAX) {
    return fault(
      step,
      `the variables grew to ${size} bytes; the limit is ${VARIABLES_BYTES_MAX} (VARIABLES_BYTES_MAX)`,
    );
  }
  const before = step.state;
  change(step, { position: move.position, variables: move.variables });
  const now = currentState(step.state);
  if (now !== previous) note(step, { kind: "moved", from: previous, to: now, by });
  const unmoved = assigned(step, before, changed, by, move.commands);
  if (unmoved !== null) return fault(step, unmoved);
  const trigger = move.commands.length > 0 ? storeTrigger(step, message, previous) : 0;
  for (const command of move.commands) {
    const problem = carryOut(step, command, trigger);
    if (problem !== null) return fault(step, problem);
  }
  if (move.position.done) disarmAll(step);
}

/** Executes one command. Returns the fault if that is impossible, otherwise null. */
function carryOut(step: Step, command: ProgramCommand, trigger: number): string | null {
  switch (command.kind) {
    case "enter":
      return enter(step, command.state, trigger);
    case "leave":
      cancelRuns(
        step,
        (run) => run.boundTo === command.state && actionOf(step, run.action).cancelOnExit !== false,
        "state_left",
      );
      disarm(step, ({ kind, state }) => kind !== "cron" || state !== command.state);
      if (!command.keepsTasks) withdrawTasks(step, ({ boundTo }) => boundTo === command.state, "state_left");
      return null;
    case "act":
      return createRun(step, actionOf(step, command.action), command.state ?? null, trigger, command);
    case "arm":
      return arm(step, command, trigger);
    case "disarm":
      dropTimer(step, command.timer);
      forgetPassed(step, ({ id }) => id !== command.timer);
      return null;
    case "stop":
      cancelRuns(step, () => true, command.reason);
      partFromChildren(step, command.reason);
      disarmAll(step);
      withdrawTasks(step, () => true, command.reason);
      return null;
    case "say":
      note(step, command.entry);
      return null;
  }
}

type ByState = ReadonlyMap<string | undefined, readonly ActionDefinition[]>;
const byState = new WeakMap<Program["actions"], ByState>();

/** The actions of a state. Grouped once per program, instead of searching all actions at each entry of a state. */
function boundTo({ actions }: Program, state: string): readonly ActionDefinition[] {
  const known = byState.get(actions) ?? grouped(actions);
  byState.set(actions, known);
  return known.get(state) ?? [];
}

function grouped(actions: Program["actions"]): ByState {
  const groups = new Map<string | undefined, ActionDefinition[]>();
  for (const action of actions.values()) {
    const group = groups.get(action.triggerState);
    if (group) group.push(action);
    else groups.set(action.triggerState, [action]);
  }
  return groups;
}

function enter(step: Step, state: string, trigger: number): string | null {
  for (const action of boundTo(step.program, state)) {
    if (action.schedule !== undefined) {
      const unarmed = armSchedule(step, action, action.schedule, state, trigger);
      if (unarmed !== null) return unarmed;
      continue;
    }
    const problem = createRun(step, action, state, trigger);
    if (problem !== null) return problem;
  }
  return null;
}

/** Fails the execution, because the definition requested something impossible. Without a failure it would get stuck. */
export function fault(step: Step, message: string): void {
  giveVerdict(step, { kind: "fail", error: ruleError(step, message) });
  step.pending.length = 0;
}

/** Cost units per variable when a transition changes variables, which are then compared and measured. */
const UNITS_A_NAME = 10;

function changedIn(before: JsonObject, after: JsonObject): readonly (readonly [string, Json])[] {
  return before === after ? [] : Object.entries(after).filter(([key, value]) => before[key] !== value);
}

/**
 * Records a transition's assignments, and reschedules what depends on the assigned variables. Returns the fault, or
 * null.
 */
function assigned(
  step: Step,
  before: ExecutionState,
  changed: readonly (readonly [string, Json])[],
  by: string,
  commands: readonly ProgramCommand[],
): string | null {
  if (changed.length === 0) return null;
  const known = step.moves.length;
  const left = new Set(commands.flatMap((command) => (command.kind === "leave" ? [command.state] : [])));
  const problem = moveDependents(step, before, left);
  const moves = step.moves.slice(known);
  note(step, { kind: "assigned", variables: Object.fromEntries(changed), by, ...(moves.length > 0 ? { moves } : {}) });
  return problem;
}

/**
 * Recomputes timers and runs after a change of variables, except for those of the states in `left`. Returns the fault,
 * or null.
 */
export function moveDependents(step: Step, before: ExecutionState, left: ReadonlySet<string> = NONE): string | null {
  return (
    moveTimers(step, before, ({ state }) => left.has(state)) ??
    moveRuns(step, before, ({ boundTo }) => boundTo !== null && left.has(boundTo)) ??
    lookBack(step, before, (state) => left.has(state))
  );
}

const NONE: ReadonlySet<string> = new Set();
