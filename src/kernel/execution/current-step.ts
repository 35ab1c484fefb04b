// The current step: the state as it changes, its journal entries and effects, its verdict, and the scope that rules and
// templates read. A `Step` is changed in place but used only inside one call of `step`, so that `step` is a pure
// function for its callers.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Stamp } from "#schema/engine/input.ts";
import type { RepeatedRun, JournalBody, JournalEntry, UnmovedItem, TimerMove } from "#schema/engine/journal.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import { type BufferedEvent, type ExecutionState, type Trigger, isFinalStatus } from "#schema/engine/state.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { NODES_NAMED_MAX } from "#schema/limits/definition-sizes.ts";
import { assert } from "../assert.ts";
import { type Pauses, isExhausted, openWork, type Work } from "../computing/work.ts";
import type { Program, Scope } from "./program.ts";
import { chanceFor } from "./chance.ts";
import { programAt } from "./limits/before-first-move.ts";
import { putRun, type OwnRuns, type OwnTimers } from "./own-lists.ts";

/**
 * The numbers of triggers are `seq` times this distance plus a counter. A step can create far fewer triggers than this,
 * so numbers are unique.
 */
const TRIGGERS_A_STEP = 100_000;

export type Step = {
  program: Program;
  readonly now: number;
  readonly seq: number;
  /** The remaining budget, shared by rules, templates and microsteps. */
  readonly work: Work;
  /** The number of direct calls that the cell of this execution can still start. */
  room: number;
  readonly suspended: boolean;
  state: ExecutionState;
  ownRuns: OwnRuns | null;
  ownTimers: OwnTimers | null;
  /** Timers armed or rescheduled so far in this step. */
  armings: number;
  /** Ids of runs whose conditions were evaluated in this step before later due work was processed. */
  readonly checkedRuns: Set<string>;
  /** The state before the input. */
  readonly before: ExecutionState;
  /** Result events of runs that the program has not received yet. */
  readonly pending: BufferedEvent[];
  readonly entries: JournalEntry[];
  readonly effects: Effect[];
  readonly moves: TimerMove[];
  readonly notMoved: UnmovedItem[];
  readonly cameBack: RepeatedRun[];
  /**
   * The failure or pause that a run or a rule has requested; null if neither was requested. It is applied at the end of
   * the step.
   */
  verdict: Verdict | null;
  runsMade: number;
  triggersMade: number;
  chances: number;
  /**
   * The number of events delivered and timers fired in this step. The step fails the execution if the number exceeds
   * its limit.
   */
  macrosteps: number;
  /**
   * True if the step changed stored data that has no journal entry. The step is then stored even if it writes no
   * entries.
   */
  hasUnjournaledChange: boolean;
};

export function openStep(program: Program, state: ExecutionState, stamp: Stamp, pauses: Pauses | null = null): Step {
  return {
    program: programAt(program, state),
    now: stamp.now,
    seq: state.seq + 1,
    work: openWork(pauses),
    room: stamp.room,
    suspended: stamp.suspended === true,
    state,
    ownRuns: null,
    ownTimers: null,
    armings: 0,
    checkedRuns: new Set(),
    before: state,
    pending: [],
    entries: [],
    effects: [],
    moves: [],
    notMoved: [],
    cameBack: [],
    verdict: null,
    runsMade: 0,
    triggersMade: 0,
    chances: 0,
    macrosteps: 0,
    hasUnjournaledChange: false,
  };
}

/**
 * True if the execution is paused or its tenant is suspended. No run starts during this time, and timers do not fire.
 */
export function isPausedOrSuspended({ state, suspended }: Step): boolean {
  return suspended || state.status === "paused";
}

export function addEntry(step: Step, body: JournalBody): void {
  // TypeScript loses the member of the union when the body is spread. The body keeps its kind, and only three fields
  // are added.
  step.entries.push({ seq: step.seq, n: step.entries.length, at: step.now, ...body } as JournalEntry);
}

export function changeState(step: Step, part: Partial<ExecutionState>): void {
  step.state = { ...step.state, ...part };
}

export function runOf(step: Step, id: string): Run | undefined {
  const own = step.ownRuns;
  if (own === null || own.list !== step.state.runs) return step.state.runs.find((run) => run.id === id);
  return own.list[Number(own.at.get(id))]; // `Map.get` gives undefined for an unknown id, and `Number` turns it into NaN, which is no index.
}

export function changeRun(step: Step, run: Run, part: Partial<Run>): Run {
  const changed = { ...run, ...part };
  putRun(step, changed);
  return changed;
}

export function actionOf(step: Step, id: string): ProgramAction {
  const action = step.program.actions.get(id);
  assert(
    action,
    `the action ${id} must be in the definition, because verify refuses definitions that name other actions`,
  );
  return action;
}

/**
 * Stores `message` and the active states as a trigger. Runs that this step creates refer to the trigger by its number,
 * because their templates are rendered in later steps. Returns the number.
 */
export function storeTrigger(step: Step, message: EventMessage | null, previousState: string | null): number {
  const seq = step.seq * TRIGGERS_A_STEP + step.triggersMade;
  step.triggersMade += 1;
  const trigger: Trigger = { seq, message, previousState, currentState: currentState(step.state) };
  changeState(step, { triggers: [...step.state.triggers, trigger] });
  return seq;
}

/**
 * The names of the active states as one text, cut at a limit. A journey may have hundreds of active nodes, and every
 * trigger and many entries contain this text.
 */
export function currentState({ position: { states } }: ExecutionState): string {
  if (states.length <= NODES_NAMED_MAX) return states.join(", ");
  return `${states.slice(0, NODES_NAMED_MAX).join(", ")} and ${states.length - NODES_NAMED_MAX} more`;
}

/** A new random number from 0 to below 1, so that several runs of one step get different jitter. */
export function nextChance(step: Step): number {
  step.chances += 1;
  return chanceFor(step.state.id, step.seq, step.chances);
}

/**
 * The scope of rules and templates. The message and states are those of the trigger; the variables and the clock are
 * current.
 */
export function scopeFor(step: Step, trigger: Omit<Trigger, "seq">): Scope {
  const { state } = step;
  return {
    ...reconcilingScope(state, step.program.ticks?.aliasesAction === true),
    ...occurrenceScope(state),
    execution: {
      id: state.id,
      tenant: state.tenant,
      namespace: state.namespace,
      definition: state.definition,
      correlationId: state.correlationId,
      createdAt: isoOfCreation(state.createdAt),
      variables: state.variables,
    },
    message: trigger.message as Json, // an event message is plain JSON
    previousState: trigger.previousState,
    currentState: trigger.currentState,
    now: isoOfNow(step.now),
    action: state.lastAction as Json, // an action status is plain JSON
    tenant: { id: state.tenant },
  };
}

/** The additional names in an action that a recurring action has started. */
function occurrenceScope({ standalone, variables }: ExecutionState): Scope {
  const { _recurring_id: recurring_id, execution_time = null } = variables;
  return standalone === undefined || recurring_id === undefined ? {} : { recurring_id, execution_time };
}

/**
 * Caches the last formatted instant, because a step formats the same instant several times. A getter in the scope would
 * keep the whole step in memory instead.
 */
const isoOfCreation = cachingLast(iso);
const isoOfNow = cachingLast(iso);

function cachingLast(spell: (ms: number) => string): (ms: number) => string {
  let last = NaN;
  let text = "";
  return (ms) => {
    if (ms !== last) [last, text] = [ms, spell(ms)];
    return text;
  };
}

export function triggerOf(step: Step, seq: number): Trigger {
  const trigger = step.state.triggers.find((each) => each.seq === seq);
  assert(trigger, `the execution must store the trigger ${seq} as long as a run or timer refers to it`);
  return trigger;
}

/** The scope of a run's rules and templates: the values of the run's trigger, and the run's additional names. */
export function scopeOfRun(step: Step, { trigger, given }: Run): Scope {
  const scope = scopeFor(step, triggerOf(step, trigger));
  return given === undefined ? scope : { ...scope, ...given };
}

/** The error of a faulty definition. A retry gives the same error. */
export function invalidDefinition(message: string): ActionError {
  return { type: "invalid_configuration", message, retryable: false };
}

/** The error of a failed rule or template. Its type is `rule_too_costly` if the budget of the step is exhausted. */
export function ruleError(step: Step, message: string): ActionError {
  return isExhausted(step.work) ? { type: TOO_COSTLY, message, retryable: false } : invalidDefinition(message);
}

/** The error type of a step that exceeds its budget. */
export const TOO_COSTLY = "rule_too_costly";

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export type Verdict = {
  readonly kind: "pause" | "fail";
  readonly error: ActionError;
  /** True if the execution fails without waiting for its children. */
  readonly atOnce?: true;
};

/**
 * Requests a failure or pause of the execution. A failure replaces a requested pause. Of two failures or two pauses,
 * the first counts.
 */
export function requestVerdict(step: Step, verdict: Verdict): null {
  // A final status never changes, so the request is ignored.
  if (isFinalStatus(step.state.status)) return null;
  if (step.state.ending && !verdict.atOnce) return null;
  if (step.verdict === null || (step.verdict.kind === "pause" && verdict.kind === "fail")) step.verdict = verdict;
  return null;
}

/** The additional names that a reconciler's rules can read. null if the execution is not a reconciler. */
export function reconcilingScope(
  { reconciling, position, variables, lastAction }: ExecutionState,
  aliasesAction: boolean,
): JsonObject | null {
  if (reconciling === undefined) return null;
  const { observed, desired } = reconciling;
  const { state, since, reason } = "since" in position ? position : { state: "", since: desired.at, reason: "" };
  return {
    observed: aliasesAction ? withActionStatus(observed?.value ?? null, lastAction) : (observed?.value ?? null),
    desired: desired.value,
    variables,
    state: { name: state, since: new Date(since).toISOString(), reason },
  };
}

/** Adds the action's status to the observation under the name of the executor pattern. A field of the observation wins. */
function withActionStatus(observed: JsonObject | null, status: ExecutionState["lastAction"]): JsonObject {
  return { actionStatus: status as Json, ...observed }; // an action status is plain JSON
}
