// The end of a turn: what all of it makes of the execution. Status, retention, what lists are told, what is forgotten.
import { limits, PROJECT_BUSY_AFTER_MS } from "#schema/limits.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { clear, hold } from "./control.ts";
import { settleDown } from "./drive.ts";
import { isUnresolved } from "./redrive.ts";
import { oweSignal } from "./signal.ts";
import { durationMs } from "../language/timing.ts";
import { change, note, type Turn } from "./current-step.ts";

const RETENTION = { own: "P7D", pooled: "P1D" } as const;
const ENGINE = { kind: "engine", id: "engine" } as const;

export function conclude(turn: Turn): void {
  passVerdict(turn);
  rest(turn);
  const { state } = turn;
  if (isFinalStatus(state.status)) {
    const retainUntil = turn.now + durationMs(turn.program.definition.retention ?? RETENTION[state.placement]);
    if (state.finishedAt === null) {
      change(turn, { finishedAt: turn.now, retainUntil });
      oweSignal(turn);
    } else if (isUnresolved(turn.before) && !isUnresolved(state)) {
      // What became of its last dead letter can be looked at as long as the rest.
      change(turn, { retainUntil });
    }
  }
  change(turn, { seq: turn.seq, updatedAt: turn.now });
  tellLists(turn);
  forget(turn);
}

/** An exhausted run that stops everything, or a definition that asked for what cannot be. */
export function passVerdict(turn: Turn): void {
  const { verdict } = turn;
  turn.verdict = null;
  if (verdict === null) return;
  if (verdict.kind === "fail") return fail(turn, verdict.error);
  if (turn.state.status !== "paused") {
    change(turn, { error: verdict.error });
    hold(turn, ENGINE, "action_failed");
  }
  // What runs still had to say waits, like every event of a paused execution.
  settleDown(turn);
}

function rest(turn: Turn): void {
  const { state } = turn;
  if (state.status === "paused" || isFinalStatus(state.status)) return;
  const live = state.runs.filter(({ status }) => !isFinalRun(status));
  if (state.position.done && live.length === 0) return end(turn);
  if (isStuck(turn, live.length)) {
    const where = state.position.states.join(", ");
    const message = `nothing can move it out of ${where}: no run, timer or event is left to wait for`;
    return fail(turn, { type: "stuck", message, retryable: false });
  }
  const isBusy = live.some(({ status }) => status === "queued" || status === "running");
  change(turn, { status: isBusy ? "active" : "waiting" });
}

function end(turn: Turn): void {
  const { position } = turn.state;
  const message = `it ended in ${position.states.join(", ")}`;
  const error: ActionError | null =
    turn.program.ending(position) === "failed" ? { type: "machine_failed", message, retryable: false } : null;
  change(turn, { status: error ? "failed" : "completed", error });
  clear(turn, "execution_ended");
  note(turn, error ? { kind: "failed", error } : { kind: "completed" });
}

/** A dead letter is a wait too: for a person, who may redrive it. */
function isStuck({ state, program }: Turn, liveRuns: number): boolean {
  if (liveRuns > 0 || state.timers.length > 0 || state.runs.some(({ deadLetter }) => deadLetter)) return false;
  return program.waitsFor(state.position).length === 0;
}

function fail(turn: Turn, error: ActionError): void {
  change(turn, { status: "failed", error });
  clear(turn, "execution_failed");
  note(turn, { kind: "failed", error });
}

/** Lists hear of an execution when it rests, and of a busy one now and then: each telling costs rows. */
function tellLists(turn: Turn): void {
  const { status, unprojectedSince } = turn.state;
  const since = unprojectedSince ?? turn.now;
  const isBusy =
    status === "active" || (isFinalStatus(status) && turn.state.runs.some(({ finishedAt }) => !finishedAt));
  if (isBusy && turn.now < since + PROJECT_BUSY_AFTER_MS) {
    change(turn, { unprojectedSince: since });
    return;
  }
  change(turn, { unprojectedSince: null });
  turn.effects.push({ kind: "project" });
}

/** What lists have not heard of yet stays, however many there are: they hear of it within seconds. */
function forget(turn: Turn): void {
  const { runs } = turn.state;
  const isOver = ({ status, deadLetter }: Run): boolean => isFinalRun(status) && !deadLetter;
  const known = turn.before.unprojectedSince === null ? turn.before.runs.filter(isOver).map(({ id }) => id) : [];
  const excess = Math.max(0, runs.filter(isOver).length - limits.runsFinishedKept);
  const gone = new Set(known.slice(0, excess));
  const kept = gone.size > 0 ? runs.filter(({ id }) => !gone.has(id)) : runs;
  const needed = new Set([
    ...kept.filter(({ status, deadLetter }) => !isFinalRun(status) || deadLetter).map(({ trigger }) => trigger),
    ...turn.state.timers.map(({ trigger }) => trigger),
  ]);
  change(turn, { runs: kept, triggers: turn.state.triggers.filter(({ seq }) => needed.has(seq)) });
}
