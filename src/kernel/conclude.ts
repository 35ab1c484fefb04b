// The end of a turn: what all of it makes of the execution. Status, retention, what lists are told, what is forgotten.
import { limits, PROJECT_BUSY_AFTER_MS } from "#schema/limits.ts";
import type { ActionError } from "#schema/outcome.ts";
import { isFinalRun } from "#schema/run.ts";
import { isFinalStatus, type ExecutionStatus } from "#schema/state.ts";
import { clear, pause } from "./control.ts";
import { durationMs } from "./timing.ts";
import { change, note, type Turn } from "./turn.ts";

const RETENTION = { own: "P7D", pooled: "P1D" } as const;
const ENGINE = { kind: "engine", id: "engine" } as const;

export function conclude(turn: Turn): void {
  if (!isFinalStatus(turn.state.status)) passVerdict(turn);
  if (!isFinalStatus(turn.state.status)) rest(turn);
  const { state } = turn;
  if (isFinalStatus(state.status) && state.finishedAt === null) {
    const retention = durationMs(turn.program.definition.retention ?? RETENTION[state.placement]);
    change(turn, { finishedAt: turn.now, retainUntil: turn.now + retention });
  }
  change(turn, { seq: turn.seq, updatedAt: turn.now });
  tellLists(turn);
  forget(turn);
}

/** An exhausted run that stops everything, or a definition that asked for what cannot be. */
function passVerdict(turn: Turn): void {
  const { verdict } = turn;
  if (verdict?.kind === "fail") fail(turn, verdict.error);
  else if (verdict?.kind === "pause" && turn.state.status !== "paused") {
    change(turn, { error: verdict.error });
    pause(turn, ENGINE, "action_failed");
    turn.effects.push({ kind: "alert", severity: "high", code: "execution_paused", run: null });
  }
}

function rest(turn: Turn): void {
  const { state, program } = turn;
  if (state.status === "paused") return;
  const live = state.runs.filter(({ status }) => !isFinalRun(status));
  if (state.position.done && live.length === 0) {
    const status = program.ending(state.position);
    const error: ActionError = {
      type: "machine_failed",
      message: `it ended in ${state.position.states.join(", ")}`,
      retryable: false,
    };
    change(turn, { status, ...(status === "failed" ? { error } : {}) });
    clear(turn, "execution_ended");
    note(turn, status === "completed" ? { kind: "completed" } : { kind: "failed", error });
    return;
  }
  if (isStuck(turn, live.length)) {
    const message = `nothing can move it out of ${state.position.states.join(", ")}: no run, timer or event is left to wait for`;
    fail(turn, { type: "stuck", message, retryable: false });
    return;
  }
  const busy = live.some(({ status }) => status === "queued" || status === "running");
  change(turn, { status: (busy ? "active" : "waiting") satisfies ExecutionStatus });
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
  turn.effects.push({ kind: "alert", severity: "high", code: "execution_failed", run: null });
}

/** Lists hear of an execution when it rests, and of a busy one now and then: each telling costs rows. */
function tellLists(turn: Turn): void {
  const { status, unprojectedSince } = turn.state;
  const since = unprojectedSince ?? turn.now;
  if (status === "active" && turn.now < since + PROJECT_BUSY_AFTER_MS) {
    change(turn, { unprojectedSince: since });
    return;
  }
  change(turn, { unprojectedSince: null });
  turn.effects.push({ kind: "project" });
}

function forget(turn: Turn): void {
  const { runs } = turn.state;
  const finished = runs.filter(({ status, deadLetter }) => isFinalRun(status) && !deadLetter);
  const gone = new Set(finished.slice(0, Math.max(0, finished.length - limits.runsFinishedKept)));
  const kept = gone.size > 0 ? runs.filter((run) => !gone.has(run)) : runs;
  const needed = new Set([
    ...kept.filter(({ status, deadLetter }) => !isFinalRun(status) || deadLetter).map(({ trigger }) => trigger),
    ...turn.state.timers.map(({ trigger }) => trigger),
  ]);
  change(turn, { runs: kept, triggers: turn.state.triggers.filter(({ seq }) => needed.has(seq)) });
}
