// Drives the program: hands it events, does what it asks for, and goes on until nothing is left to hand over.
import type { EventMessage } from "#schema/engine/event.ts";
import type { JsonObject } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { isFinalStatus, type BufferedEvent } from "#schema/engine/state.ts";
import { cancelRuns } from "./endings.ts";
import type { Move, ProgramCommand } from "../programs/program.ts";
import { createRun, pump } from "./runs.ts";
import { byteLength } from "../language/size.ts";
import { arm, armSchedule, disarm } from "./timers.ts";
import { actionOf, change, currentState, invalid, note, remember, scopeFor, type Turn } from "./current-step.ts";

/** Everything the turn has set off, until it rests or a verdict stops it: events of runs, buffered events, free slots. */
export function settleDown(turn: Turn): void {
  while (!turn.verdict) {
    const next = turn.pending.shift() ?? fromBuffer(turn);
    if (next) {
      if (goOn(turn)) handOver(turn, next);
      continue;
    }
    pump(turn);
    if (turn.pending.length === 0) return;
  }
}

/** Counts another event or timer of this turn; false, and a fault, once there were too many. */
export function goOn(turn: Turn): boolean {
  turn.macrosteps += 1;
  if (turn.macrosteps <= limits.macrostepsMax) return true;
  fault(turn, `one input set off more than ${limits.macrostepsMax} further events (macrostepsMax)`);
  return false;
}

function handOver(turn: Turn, { message, origin }: BufferedEvent): void {
  if (isFinalStatus(turn.state.status)) return;
  if (turn.state.status === "paused") change(turn, { buffer: [...turn.state.buffer, { message, origin }] });
  else deliver(turn, message);
}

/** To the program, and into the journal if it has no use for it. */
export function deliver(turn: Turn, message: EventMessage): void {
  if (!feed(turn, message)) note(turn, { kind: "event_ignored", type: message.type, source: message.source });
}

/** The first buffered event whose time has come; what the engine itself says is handed over whether wanted or not. */
function fromBuffer(turn: Turn): BufferedEvent | undefined {
  const { state, program } = turn;
  if (state.status === "paused" || isFinalStatus(state.status) || state.position.done) return undefined;
  const next = state.buffer.find(
    ({ message, origin }) => origin === "run" || program.outlook(state.position, message.type) !== "later",
  );
  if (!next) return undefined;
  change(turn, { buffer: state.buffer.filter((each) => each !== next) });
  note(turn, { kind: "event_replayed", event: next.message.id, type: next.message.type });
  return next;
}

/** True if the program took it. */
export function feed(turn: Turn, message: EventMessage): boolean {
  const { position, variables } = turn.state;
  const previous = currentState(turn.state);
  const seen = { message, previousState: previous, currentState: previous };
  const move = turn.program.react(position, variables, message.type, scopeFor(turn, seen));
  if (move === null) return false;
  follow(turn, move, message, previous, message.type);
  return true;
}

/** Takes the program's word for where the execution now stands, and does what it asked for on the way. */
export function follow(
  turn: Turn,
  move: Move,
  message: EventMessage | null,
  previous: string | null,
  by: string,
): void {
  if (!move.ok) return fault(turn, move.message);
  const size = move.variables === turn.state.variables ? 0 : byteLength(JSON.stringify(move.variables));
  if (size > limits.variablesBytesMax) {
    return fault(turn, `variables grew to ${size} bytes; the limit is ${limits.variablesBytesMax} (variablesBytesMax)`);
  }
  const { variables } = turn.state;
  change(turn, { position: move.position, variables: move.variables });
  const now = currentState(turn.state);
  if (now !== previous) note(turn, { kind: "moved", from: previous, to: now, by });
  noteAssigned(turn, variables, by);
  const trigger = move.commands.length > 0 ? remember(turn, message, previous) : 0;
  for (const command of move.commands) {
    const problem = obey(turn, command, trigger);
    if (problem !== null) return fault(turn, problem);
  }
  if (move.position.done) disarm(turn, () => false);
}

/** Returns the fault, if the command cannot be obeyed. */
function obey(turn: Turn, command: ProgramCommand, trigger: number): string | null {
  switch (command.kind) {
    case "enter":
      return enter(turn, command.state, trigger);
    case "leave":
      cancelRuns(
        turn,
        (run) => run.boundTo === command.state && actionOf(turn, run.action).cancelOnExit !== false,
        "state_left",
      );
      disarm(turn, ({ kind, state }) => kind !== "cron" || state !== command.state);
      return null;
    case "act":
      return createRun(turn, actionOf(turn, command.action), null, trigger);
    case "arm":
      return arm(turn, command.timer, command.state, command.expression, trigger);
    case "disarm":
      disarm(turn, ({ id }) => id !== command.timer);
      return null;
  }
}

function enter(turn: Turn, state: string, trigger: number): string | null {
  for (const action of turn.program.actions.values()) {
    if (action.triggerState !== state) continue;
    if (action.schedule !== undefined) {
      armSchedule(turn, action, action.schedule, state, trigger);
      continue;
    }
    const problem = createRun(turn, action, state, trigger);
    if (problem !== null) return problem;
  }
  return null;
}

/** The definition asked for what cannot be: the execution fails, and says so, rather than stand still. */
export function fault(turn: Turn, message: string): void {
  turn.verdict = { kind: "fail", error: invalid(message) };
  turn.pending.length = 0;
}

function noteAssigned(turn: Turn, before: JsonObject, by: string): void {
  const changed = Object.entries(turn.state.variables).filter(([key, value]) => before[key] !== value);
  if (changed.length > 0) note(turn, { kind: "assigned", variables: Object.fromEntries(changed), by });
}
