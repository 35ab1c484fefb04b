// One input being worked through: the state as it grows, and what it leaves behind. A step lives inside one call of
// `step` and is never seen outside, so what it changes in place stays pure for everybody else.
import type { Effect } from "#schema/engine/effect.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Stamp } from "#schema/engine/input.ts";
import type { CameBack, JournalBody, JournalEntry, NotMoved, TimerMove } from "#schema/engine/journal.ts";
import type { Json } from "#schema/json.ts";
import { NODES_NAMED_MAX } from "#schema/limits/journey-sizes.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import type { BufferedEvent, ExecutionState, Trigger } from "#schema/engine/state.ts";
import { assert } from "../assert.ts";
import { putRun, type OwnRuns, type OwnTimers } from "./own-lists.ts";
import { type Pauses, isSpent, openWork, type Work } from "../computing/work.ts";
import { chanceFor } from "./chance.ts";
import { reconcilingScope } from "./reconciling/scope.ts";
import type { Program, ProgramAction, Scope } from "../programs/program.ts";
import type { Verdict } from "./verdict.ts";

/** More than one step can make: macrosteps are bounded well below. */
const TRIGGERS_A_STEP = 100_000;

export type Step = {
  readonly program: Program;
  readonly now: number;
  readonly seq: number;
  /** What it may still cost: rules, templates and microsteps pay from one purse. */
  readonly work: Work;
  /** Direct flights the cell still has room for. */
  room: number;
  readonly suspended: boolean;
  state: ExecutionState;
  ownRuns: OwnRuns | null;
  ownTimers: OwnTimers | null;
  /** Timers armed or moved so far. */
  armings: number;
  /** Runs that were due before something else in this step, and were looked at then. */
  readonly looked: Set<string>;
  /** The state the input found. */
  readonly before: ExecutionState;
  /** What runs have to say, on its way to the program. */
  readonly pending: BufferedEvent[];
  readonly entries: JournalEntry[];
  readonly effects: Effect[];
  readonly moves: TimerMove[];
  readonly notMoved: NotMoved[];
  readonly cameBack: CameBack[];
  /** What an exhausted run or a broken rule asks for the whole execution, once the step is through. */
  verdict: Verdict | null;
  runsMade: number;
  triggersMade: number;
  chances: number;
  /** Events handed over and timers fired: what one input may set off is bounded. */
  macrosteps: number;
  /** It has changed what it keeps, though the journal has nothing to tell. */
  keeps: boolean;
};

export function openStep(program: Program, state: ExecutionState, stamp: Stamp, pauses: Pauses | null = null): Step {
  return {
    program,
    now: stamp.now,
    seq: state.seq + 1,
    work: openWork(pauses),
    room: stamp.room,
    suspended: stamp.suspended === true,
    state,
    ownRuns: null,
    ownTimers: null,
    armings: 0,
    looked: new Set(),
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
    keeps: false,
  };
}

/** By a person's word, or because of its tenant: nothing goes out, and timers keep their instants. */
export function isHeldUp({ state, suspended }: Step): boolean {
  return suspended || state.status === "paused";
}

export function note(step: Step, body: JournalBody): void {
  // A spread of a union loses which member it was; nothing but the three fields is added.
  step.entries.push({ seq: step.seq, n: step.entries.length, at: step.now, ...body } as JournalEntry);
}

export function change(step: Step, part: Partial<ExecutionState>): void {
  step.state = { ...step.state, ...part };
}

export function runOf(step: Step, id: string): Run | undefined {
  const own = step.ownRuns;
  if (own === null || own.list !== step.state.runs) return step.state.runs.find((run) => run.id === id);
  return own.list[Number(own.at.get(id))]; // nothing stands where an id that is not there does
}

/** Puts a changed run in its place and returns it. */
export function changeRun(step: Step, run: Run, part: Partial<Run>): Run {
  const changed = { ...run, ...part };
  putRun(step, changed);
  return changed;
}

export function actionOf(step: Step, id: string): ProgramAction {
  const action = step.program.actions.get(id);
  assert(action, `action ${id} is in the definition: verify refuses definitions that name other actions`);
  return action;
}

/** The trigger of this step for `message`, remembered so that its runs see later what was true now. */
export function remember(step: Step, message: EventMessage | null, previousState: string | null): number {
  const seq = step.seq * TRIGGERS_A_STEP + step.triggersMade;
  step.triggersMade += 1;
  const trigger: Trigger = { seq, message, previousState, currentState: currentState(step.state) };
  change(step, { triggers: [...step.state.triggers, trigger] });
  return seq;
}

/** A journey may stand at hundreds of nodes: every trigger and many an entry names them. */
export function currentState({ position: { states } }: ExecutionState): string {
  if (states.length <= NODES_NAMED_MAX) return states.join(", ");
  return `${states.slice(0, NODES_NAMED_MAX).join(", ")} and ${states.length - NODES_NAMED_MAX} more`;
}

/** Jitter of several runs in one step differs. */
export function nextChance(step: Step): number {
  step.chances += 1;
  return chanceFor(step.state.id, step.seq, step.chances);
}

/** The one context that rules and templates see, frozen to what the trigger saw except for variables and time. */
export function scopeFor(step: Step, trigger: Omit<Trigger, "seq">): Scope {
  const { state } = step;
  return {
    ...reconcilingScope(state),
    execution: {
      id: state.id,
      tenant: state.tenant,
      namespace: state.namespace,
      definition: state.definition,
      correlationId: state.correlationId,
      createdAt: isoOfBirth(state.createdAt),
      variables: state.variables,
    },
    message: trigger.message as Json, // an event message is plain JSON
    previousState: trigger.previousState,
    currentState: trigger.currentState,
    now: isoOfNow(step.now),
    action: state.lastAction as Json, // plain JSON too
    tenant: { id: state.tenant },
  };
}

/**
 * Told again without being spelled again, for a step asks several times. No getter of the scope: what is spelled when it is
 * asked for holds the whole step, which is then carried through every minor collection of garbage, one step after another.
 */
const isoOfBirth = rememberingLast(iso);
const isoOfNow = rememberingLast(iso);

function rememberingLast(spell: (ms: number) => string): (ms: number) => string {
  let last = NaN;
  let text = "";
  return (ms) => {
    if (ms !== last) [last, text] = [ms, spell(ms)];
    return text;
  };
}

export function triggerOf(step: Step, seq: number): Trigger {
  const trigger = step.state.triggers.find((each) => each.seq === seq);
  assert(trigger, `trigger ${seq} is kept while a run or timer refers to it`);
  return trigger;
}

/** What the rules and templates of a run see: what was true when it was set off, and what it was given besides. */
export function scopeOfRun(step: Step, { trigger, given }: Run): Scope {
  const scope = scopeFor(step, triggerOf(step, trigger));
  return given === undefined ? scope : { ...scope, ...given };
}

export function zoneOf({ program }: Step, action: { readonly timezone?: string | undefined }): string {
  return action.timezone ?? program.definition.timezone ?? "UTC";
}

/** What cannot be done as the definition asks for it, and will not get better by trying again. */
export function invalid(message: string): ActionError {
  return { type: "invalid_configuration", message, retryable: false };
}

/** What a rule or a template came to grief over: itself, or what the whole step may cost. */
export function broken(step: Step, message: string): ActionError {
  return isSpent(step.work) ? { type: TOO_COSTLY, message, retryable: false } : invalid(message);
}

/** More work than one step may do. */
export const TOO_COSTLY = "rule_too_costly";

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
