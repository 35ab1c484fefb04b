// The driver of a program: delivers events to it, executes its commands, and continues until no event is left.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { MACROSTEPS_MAX, VARIABLES_BYTES_MAX } from "#schema/limits/executions.ts";
import { isFinalStatus, type BufferedEvent, type ExecutionState } from "#schema/engine/state.ts";
import { cancelWorkOfState } from "./cancel-on-exit.ts";
import { applyExhausted, cancelRuns, recordLateResult } from "./run-endings.ts";
import { runPart, countUncharged } from "../computing/work.ts";
import type { Move, Program } from "./program.ts";
import type { ProgramCommand } from "./program-commands.ts";
import { reactivateMovedWork } from "./due/moved-dates.ts";
import { createRun, checkDueConditions, dispatchDue, rescheduleRuns } from "./runs.ts";
import { storeAcceptingStates } from "./retries/handled.ts";
import { jsonBytesAfter } from "../language/json-values.ts";
import { applyChildPolicies } from "./children/children-on-end.ts";
import { withdrawTasks } from "./tasks/open-tasks.ts";
import { dropTimer } from "./own-lists.ts";
import { recordReport } from "./reconciling/message-reports.ts";
import { armSchedule, rescheduleOccurrences } from "./due/schedules.ts";
import { armTimer, disarmAllTimers, dropPassedTimers, rescheduleTimers } from "./timers.ts";
import {
  actionOf,
  ruleError,
  changeState,
  currentState,
  addEntry,
  storeTrigger,
  scopeFor,
  type Step,
  requestVerdict,
} from "./current-step.ts";

/**
 * Processes the consequences of the step: result events, kept events, and runs that wait for a free slot. Stops when no
 * consequence is left or a verdict is requested. `until`: the instant of the next due work; events and runs after that
 * instant are left for the next call.
 */
export function processPending(step: Step, until: number = step.now): void {
  while (!step.verdict) {
    const next = step.pending.shift() ?? firstWaiting(step, until);
    if (next) {
      if (countMacrostep(step)) deliverBuffered(step, next);
      continue;
    }
    if (until < step.now) checkDueConditions(step, until);
    else dispatchDue(step);
    if (step.pending.length === 0) return;
  }
}

/** Counts an event or timer of this step. If there are too many, the execution fails and the function returns false. */
export function countMacrostep(step: Step): boolean {
  step.macrosteps += 1;
  if (step.macrosteps <= MACROSTEPS_MAX) return true;
  failWithFault(step, `one input caused more further events than the limit of ${MACROSTEPS_MAX} (MACROSTEPS_MAX)`);
  return false;
}

/** Delivers an event that waited, or a result event of a run. */
export function deliverBuffered(step: Step, event: BufferedEvent): void {
  const { buffer } = step.state;
  const others = buffer.filter((each) => each !== event);
  if (others.length < buffer.length) {
    changeState(step, { buffer: others });
    addEntry(step, { kind: "event_replayed", event: event.message.id, type: event.message.type });
  }
  routeEvent(step, event);
}

function routeEvent(step: Step, event: BufferedEvent): void {
  const { status, buffer } = step.state;
  if (isFinalStatus(status)) return recordLateResult(step, event.message.type);
  if (status === "paused") changeState(step, { buffer: [...buffer, { ...event, at: step.now }] });
  else if (event.origin === "run") deliverResultEvent(step, event);
  else deliverKeptEvent(step, event);
}

/**
 * Delivers a result event of a run. If the program took only eventless transitions, no state accepted the event, so a
 * failure does not count as handled.
 */
function deliverResultEvent(step: Step, { message, planned = step.now }: BufferedEvent): void {
  const took = deliverEvent(step, message, planned);
  if (took !== null && took.length > 0) storeAcceptingStates(step, message, took);
}

/**
 * Delivers a kept event. Its sender received a success response when the event was kept, so the event can no longer be
 * refused. The journal records the refusal that the program returns now.
 */
function deliverKeptEvent(step: Step, { message, at = step.now, planned = at }: BufferedEvent): void {
  const isLate = step.program.eventTiming(step.state.position, message.type) === "late";
  deliverEvent(step, message, planned, { event: message.id, reason: isLate ? "event_too_late" : "event_not_accepted" });
}

type KeptEvent = { readonly event: string; readonly reason: string };

/**
 * Delivers an event to the program, and records it in the journal if the program does not use it. Returns the states
 * that accepted the event; null if the program did not use it.
 */
export function deliverEvent(step: Step, message: EventMessage, planned: number, kept?: KeptEvent): AcceptingStates {
  const { type, source } = message;
  const took = offerEvent(step, message, planned);
  if (took === null) addEntry(step, { kind: "event_ignored", type, source, ...kept });
  return took;
}

/**
 * The states that accepted an event. Empty if only eventless transitions were taken; null if the program did not use
 * the event.
 */
type AcceptingStates = readonly string[] | null;

/**
 * The first waiting event that arrived by `until` and that the program accepts now. A result event of a run is returned
 * even if the program does not accept it.
 */
export function firstWaiting({ state, program }: Step, until: number): BufferedEvent | undefined {
  if (state.status === "paused" || isFinalStatus(state.status) || state.position.done) return undefined;
  return state.buffer.find(
    ({ message, origin, at = 0 }) =>
      at <= until && (origin === "run" || program.eventTiming(state.position, message.type) !== "later"),
  );
}

/**
 * Offers an event to the program; if the program does not use it, no journal entry is written. `planned`: the instant
 * from which later delays count (see `Instants` in program.ts).
 */
export function offerEvent(step: Step, message: EventMessage, planned: number = step.now): AcceptingStates {
  recordReport(step, message);
  const { position, variables } = step.state;
  const previous = currentState(step.state);
  const seen = { message, previousState: previous, currentState: previous };
  const move = runPart(step.work, () =>
    step.program.react(position, variables, message.type, scopeFor(step, seen), step.work, { now: step.now, planned }),
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
  if (!move.ok) return failWithFault(step, move.message);
  const changed = changedVariables(step.state.variables, move.variables);
  if (changed.length > 0) countUncharged(step.work, Object.keys(move.variables).length * UNITS_PER_VARIABLE);
  const size = changed.length === 0 ? 0 : jsonBytesAfter(step.state.variables, move.variables, changed);
  if (size > VARIABLES_BYTES_MAX) {
    return failWithFault(
      step,
      `the variables grew to ${size} bytes; the limit is ${VARIABLES_BYTES_MAX} (VARIABLES_BYTES_MAX)`,
    );
  }
  const before = step.state;
  changeState(step, { position: move.position, variables: move.variables });
  const now = currentState(step.state);
  if (now !== previous) addEntry(step, { kind: "moved", from: previous, to: now, by });
  const unmoved = recordAssignments(step, before, changed, by, move.commands);
  if (unmoved !== null) return failWithFault(step, unmoved);
  const trigger = move.commands.length > 0 ? storeTrigger(step, message, previous) : 0;
  for (const command of move.commands) {
    const problem = executeCommand(step, command, trigger);
    if (problem !== null) return failWithFault(step, problem);
  }
  if (move.position.done) disarmAllTimers(step);
}

/** Executes one command of the program. Returns the fault if the command is impossible, otherwise null. */
function executeCommand(step: Step, command: ProgramCommand, trigger: number): string | null {
  switch (command.kind) {
    case "enter":
      return enterState(step, command.state, trigger);
    case "leave":
      cancelWorkOfState(step, command.state);
      if (!command.keepsTasks) withdrawTasks(step, ({ boundTo }) => boundTo === command.state, "state_left");
      return null;
    case "act":
      return createRun(step, actionOf(step, command.action), command.state ?? null, trigger, command);
    case "arm":
      return armTimer(step, command, trigger);
    case "disarm":
      dropTimer(step, command.timer);
      dropPassedTimers(step, ({ id }) => id !== command.timer);
      return null;
    case "stop":
      cancelRuns(step, () => true, command.reason);
      applyChildPolicies(step, command.reason);
      disarmAllTimers(step);
      withdrawTasks(step, () => true, command.reason);
      return null;
    case "exhausted":
      applyExhausted(step, command.run);
      return null;
    case "say":
      addEntry(step, command.entry);
      return null;
  }
}

type ByState = ReadonlyMap<string | undefined, readonly ProgramAction[]>;
const byState = new WeakMap<Program["actions"], ByState>();

/** The actions of a state. They are grouped once per program, so that entering a state does not search all actions. */
function actionsOfState({ actions }: Program, state: string): readonly ProgramAction[] {
  const known = byState.get(actions) ?? groupByState(actions);
  byState.set(actions, known);
  return known.get(state) ?? [];
}

function groupByState(actions: Program["actions"]): ByState {
  const groups = new Map<string | undefined, ProgramAction[]>();
  for (const action of actions.values()) {
    const group = groups.get(action.triggerState);
    if (group) group.push(action);
    else groups.set(action.triggerState, [action]);
  }
  return groups;
}

function enterState(step: Step, state: string, trigger: number): string | null {
  for (const action of actionsOfState(step.program, state)) {
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

/**
 * Fails the execution because its definition requested something impossible. Without this failure the execution would
 * wait forever.
 */
export function failWithFault(step: Step, message: string): void {
  requestVerdict(step, { kind: "fail", error: ruleError(step, message) });
  step.pending.length = 0;
}

/**
 * The cost units per variable of a transition that assigns variables, because every variable is then compared and
 * measured.
 */
const UNITS_PER_VARIABLE = 10;

function changedVariables(before: JsonObject, after: JsonObject): readonly (readonly [string, Json])[] {
  return before === after ? [] : Object.entries(after).filter(([key, value]) => before[key] !== value);
}

/**
 * Records a transition's assignments, and reschedules the work that depends on the assigned variables. Returns the
 * fault if the work cannot be rescheduled, otherwise null.
 */
function recordAssignments(
  step: Step,
  before: ExecutionState,
  changed: readonly (readonly [string, Json])[],
  by: string,
  commands: readonly ProgramCommand[],
): string | null {
  if (changed.length === 0) return null;
  const known = step.moves.length;
  const left = new Set(commands.flatMap((command) => (command.kind === "leave" ? [command.state] : [])));
  const problem = rescheduleDependents(step, before, left);
  const moves = step.moves.slice(known);
  addEntry(step, {
    kind: "assigned",
    variables: Object.fromEntries(changed),
    by,
    ...(moves.length > 0 ? { moves } : {}),
  });
  return problem;
}

/** Moves what depends on a changed variable, except work of the states in `left`. Returns the fault, otherwise null. */
export function rescheduleDependents(
  step: Step,
  before: ExecutionState,
  left: ReadonlySet<string> = NONE,
): string | null {
  return (
    rescheduleTimers(step, before, ({ state }) => left.has(state)) ??
    rescheduleOccurrences(step, before, ({ state }) => left.has(state)) ??
    rescheduleRuns(step, before, ({ boundTo }) => boundTo !== null && left.has(boundTo)) ??
    reactivateMovedWork(step, before, (state) => left.has(state))
  );
}

const NONE: ReadonlySet<string> = new Set();
