// The kernel's one door: (program, state, input) to (state, effects, journal entries), or a refusal that changes
// nothing. Same arguments, same bytes: simulation, preview, replay and the live object all call this.
import type { Effect } from "#schema/effect.ts";
import type { Command, Input } from "#schema/input.ts";
import type { JournalEntry, TimerMove } from "#schema/journal.ts";
import type { JsonObject } from "#schema/json.ts";
import { limits, PROJECT_BUSY_AFTER_MS } from "#schema/limits.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import { isFinalStatus, STATE_VERSION, type ExecutionState } from "#schema/state.ts";
import { passTime } from "./clock.ts";
import { conclude } from "./conclude.ts";
import { cancel, patch, pause, receive, resume, runNow } from "./control.ts";
import { follow, settleDown } from "./drive.ts";
import type { Program } from "./program.ts";
import { resend } from "./runs.ts";
import { claim, settle, undeliverable } from "./settle.ts";
import { change, note, openTurn, runOf, scopeFor, type Turn } from "./turn.ts";

export type Stepped = {
  readonly ok: true;
  readonly state: ExecutionState;
  readonly effects: readonly Effect[];
  readonly entries: readonly JournalEntry[];
  readonly moves: readonly TimerMove[];
  /** The input was taken before: nothing changed, and the answer is the one it got then. */
  readonly repeated: boolean;
};
export type Step = Stepped | { readonly ok: false; readonly refusal: Refusal };

export function step(program: Program, state: ExecutionState | null, input: Input): Step {
  if (input.kind === "start") return state ? startAgain(state, input) : begin(program, input);
  if (!state) return refuse({ code: "not_found", message: "there is no such execution" });
  const seen = "inputId" in input ? repeatedInput(state, input) : null;
  if (seen) return seen;
  const turn = openTurn(program, state, input);
  const refused = take(turn, input);
  if (refused) return refused;
  settleDown(turn);
  const quiet = turn.entries.length === 0 && turn.effects.length === 0;
  if (quiet && !isOverdueForLists(state, input.now)) return unchanged(state);
  return close(turn, input);
}

type Refused = { readonly ok: false; readonly refusal: Refusal } | null;

function take(turn: Turn, input: Exclude<Input, { kind: "start" }>): Refused {
  // A claim looks at one run only; everything else finds the timers that are due already fired.
  if (input.kind === "claim") return claim(turn, input.run, input.attempt, input.lane);
  if (input.kind === "settle") return settle(turn, input.run, input.attempt, input.outcome);
  if (input.kind === "undeliverable") return undeliverable(turn, input.run, input.attempt);
  if (input.kind === "tick") return tick(turn);
  if (input.kind === "orphaned") return orphaned(turn, input.runs);
  if (isFinalStatus(turn.state.status)) {
    const message = `it is ${turn.state.status} since ${new Date(turn.state.finishedAt ?? turn.now).toISOString()}`;
    return refuse({ code: "execution_final", message });
  }
  passTime(turn);
  switch (input.kind) {
    case "event":
      return receive(turn, input);
    case "patch":
      return patch(turn, input) ?? (passTime(turn), null);
    case "pause":
      return pause(turn, input.actor, input.reason);
    case "resume":
      return resume(turn, input) ?? (passTime(turn), null);
    case "cancel":
      return cancel(turn, input);
    case "runNow":
      return runNow(turn, input) ?? (passTime(turn), null);
  }
}

function tick(turn: Turn): null {
  passTime(turn);
  const { status, retainUntil, runs } = turn.state;
  const flying = runs.some((run) => run.status === "running");
  if (isFinalStatus(status) && retainUntil !== null && retainUntil <= turn.now && !flying) turn.effects.push({ kind: "purge" });
  return null;
}

/** The object went down with these in its hands. Whether they took effect is unknown: same attempt, same key. */
function orphaned(turn: Turn, runs: readonly string[]): null {
  for (const id of runs) {
    const run = runOf(turn, id);
    if (run?.status === "running" && !isFinalStatus(turn.state.status)) resend(turn, run, "object_restarted");
  }
  return null;
}

function begin(program: Program, input: Extract<Input, { kind: "start" }>): Step {
  const variables: JsonObject = { ...program.definition.variables, ...input.variables };
  const turn = openTurn(program, fresh(input, variables), input);
  note(turn, { kind: "started", definition: `${input.definition.name}@${input.definition.version}`, variables, actor: input.actor });
  const nowhere = { message: null, previousState: null, currentState: "" };
  follow(turn, program.begin(variables, scopeFor(turn, nowhere)), null, null, "start");
  settleDown(turn);
  return close(turn, input);
}

function fresh(input: Extract<Input, { kind: "start" }>, variables: JsonObject): ExecutionState {
  return {
    v: STATE_VERSION,
    id: input.execution,
    tenant: input.tenant,
    namespace: input.namespace,
    definition: input.definition,
    placement: input.placement,
    correlationId: input.correlationId,
    status: "active",
    position: { kind: "machine", value: "", history: {}, states: [], done: false },
    variables,
    seq: 0,
    createdAt: input.now,
    updatedAt: input.now,
    finishedAt: null,
    pausedAt: null,
    reason: null,
    error: null,
    runs: [],
    triggers: [],
    timers: [],
    buffer: [],
    lastAction: null,
    receipts: [],
    unprojectedSince: null,
    retainUntil: null,
  };
}

function close(turn: Turn, input: Command): Stepped {
  conclude(turn);
  if ("inputId" in input) {
    const { inputId, fingerprint } = input;
    const receipts = [...turn.state.receipts, { inputId, fingerprint, seq: turn.seq }];
    change(turn, { receipts: receipts.slice(-limits.receiptsMax) });
  }
  const { state, effects, entries, moves } = turn;
  return { ok: true, state, effects, entries, moves, repeated: false };
}

function startAgain(state: ExecutionState, input: Extract<Input, { kind: "start" }>): Step {
  return (
    repeatedInput(state, input) ??
    refuse({
      code: "already_exists",
      message: `execution ${state.id} exists since ${new Date(state.createdAt).toISOString()}`,
      hint: "Repeat a start with the same Idempotency-Key and body to get its first answer, or choose another id.",
    })
  );
}

function repeatedInput(state: ExecutionState, input: { inputId: string; fingerprint: string }): Step | null {
  const receipt = state.receipts.find(({ inputId }) => inputId === input.inputId);
  if (!receipt) return null;
  if (receipt.fingerprint === input.fingerprint) return unchanged(state, true);
  return refuse({
    code: "idempotency_conflict",
    message: `${input.inputId} was used before with another body`,
    hint: "Use a new key for a new request; repeat an old one unchanged.",
  });
}

function unchanged(state: ExecutionState, repeated = false): Stepped {
  return { ok: true, state, effects: [], entries: [], moves: [], repeated };
}

function isOverdueForLists(state: ExecutionState, now: number): boolean {
  return state.unprojectedSince !== null && now >= state.unprojectedSince + PROJECT_BUSY_AFTER_MS;
}
