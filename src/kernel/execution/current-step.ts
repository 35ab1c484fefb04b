// One input being worked through: the state as it grows, and what it leaves behind. A turn lives inside one call of
// `step` and is never seen outside, so what it changes in place stays pure for everybody else.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Stamp } from "#schema/engine/input.ts";
import type { JournalBody, JournalEntry, TimerMove } from "#schema/engine/journal.ts";
import type { Json } from "#schema/json.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import type { Run } from "#schema/engine/run.ts";
import type { BufferedEvent, ExecutionState, Trigger } from "#schema/engine/state.ts";
import { assert } from "../assert.ts";
import type { Program, Scope } from "../programs/program.ts";

/** More than one turn can make: macrosteps are bounded well below. */
const TRIGGERS_A_TURN = 100_000;

export type Turn = {
  readonly program: Program;
  readonly now: number;
  readonly entropy: number;
  readonly seq: number;
  /** Direct flights the cell still has room for. */
  room: number;
  state: ExecutionState;
  /** The state the input found. */
  readonly before: ExecutionState;
  /** What runs have to say, on its way to the program. */
  readonly pending: BufferedEvent[];
  readonly entries: JournalEntry[];
  readonly effects: Effect[];
  readonly moves: TimerMove[];
  /** What an exhausted run or a broken rule asks for the whole execution, once the turn is through. */
  verdict: Verdict | null;
  runsMade: number;
  triggersMade: number;
  chances: number;
  /** Events handed over and timers fired: what one input may set off is bounded. */
  macrosteps: number;
};

export type Verdict = { readonly kind: "pause" | "fail"; readonly error: ActionError };

export function openTurn(program: Program, state: ExecutionState, stamp: Stamp): Turn {
  return {
    program,
    now: stamp.now,
    entropy: stamp.entropy,
    seq: state.seq + 1,
    room: stamp.room,
    state,
    before: state,
    pending: [],
    entries: [],
    effects: [],
    moves: [],
    verdict: null,
    runsMade: 0,
    triggersMade: 0,
    chances: 0,
    macrosteps: 0,
  };
}

export function note(turn: Turn, body: JournalBody): void {
  // A spread of a union loses which member it was; nothing but the three fields is added.
  turn.entries.push({ seq: turn.seq, n: turn.entries.length, at: turn.now, ...body } as JournalEntry);
}

export function change(turn: Turn, part: Partial<ExecutionState>): void {
  turn.state = { ...turn.state, ...part };
}

export function runOf(turn: Turn, id: string): Run | undefined {
  return turn.state.runs.find((run) => run.id === id);
}

/** Puts a changed run in its place and returns it. */
export function changeRun(turn: Turn, run: Run, part: Partial<Run>): Run {
  const changed = { ...run, ...part };
  change(turn, { runs: turn.state.runs.map((each) => (each.id === run.id ? changed : each)) });
  return changed;
}

export function actionOf(turn: Turn, id: string): ActionDefinition {
  const action = turn.program.actions.get(id);
  assert(action, `action ${id} is in the definition: verify refuses definitions that name others`);
  return action;
}

/** The trigger of this turn for `message`, remembered so that its runs see later what was true now. */
export function remember(turn: Turn, message: EventMessage | null, previousState: string | null): number {
  const seq = turn.seq * TRIGGERS_A_TURN + turn.triggersMade;
  turn.triggersMade += 1;
  const trigger: Trigger = { seq, message, previousState, currentState: currentState(turn.state) };
  change(turn, { triggers: [...turn.state.triggers, trigger] });
  return seq;
}

export function currentState(state: ExecutionState): string {
  return state.position.states.join(", ");
}

/** Jitter of several runs in one turn must differ, and must be the same in a replay. */
export function nextEntropy(turn: Turn): number {
  turn.chances += 1;
  return (turn.entropy + (turn.chances - 1) * 0.6180339887498949) % 1;
}

/** The one context that rules and templates see, frozen to what the trigger saw except for variables and time. */
export function scopeFor(turn: Turn, trigger: Omit<Trigger, "seq">): Scope {
  const { state } = turn;
  return {
    execution: {
      id: state.id,
      tenant: state.tenant,
      namespace: state.namespace,
      definition: state.definition,
      correlationId: state.correlationId,
      createdAt: iso(state.createdAt),
      variables: state.variables,
    },
    message: trigger.message as Json, // an event message is plain JSON
    previousState: trigger.previousState,
    currentState: trigger.currentState,
    now: iso(turn.now),
    action: state.lastAction as Json, // plain JSON too
    tenant: { id: state.tenant },
  };
}

export function triggerOf(turn: Turn, seq: number): Trigger {
  const trigger = turn.state.triggers.find((each) => each.seq === seq);
  assert(trigger, `trigger ${seq} is kept as long as something refers to it`);
  return trigger;
}

export function zoneOf({ program }: Turn, action: { readonly timezone?: string | undefined }): string {
  return action.timezone ?? program.definition.timezone ?? "UTC";
}

/** What cannot be done as the definition asks for it, and will not get better by trying again. */
export function invalid(message: string): ActionError {
  return { type: "invalid_configuration", message, retryable: false };
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}
