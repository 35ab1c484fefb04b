// Applied inputs: the result of one input of a turn. Direct calls lost with an earlier instance are sent again first, a
// start with a known dedup key returns the earlier action, and everything else is one step.
import { firstAsked } from "#kernel/programs/one-action.ts";
import { broughtBy } from "#kernel/execution/attempts.ts";
import { hasTaken, repeatOf } from "#kernel/execution/receipts/receipts.ts";
import { stillMatches } from "#policy/operations/still-matches.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Claimant, Ticket } from "#schema/engine/run.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { dedupDigest, timeOf } from "#schema/ids.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { RecheckedFilter } from "#schema/engine/execution-command.ts";
import type { AppliedCommand, Drafts } from "./drafts.ts";
import { lostDirectCalls, type DirectCalls } from "./direct-calls.ts";
import type { Heads } from "./heads/heads.ts";
import { refuseAbsent } from "./heads/unreadable.ts";
import { ticketOf } from "./ticket.ts";

export type InputItem = {
  readonly execution: string;
  readonly command: Command;
  /** With a start: the definition as stored; null for a standalone action. */
  readonly definition?: string | null;
  /** False keeps everything that this input starts in the queue lane. */
  readonly direct: boolean;
  /** With a settlement: the next run is claimed for the settling consumer, instead of being queued. */
  readonly next?: NextWanted | null;
  /** An execution created later than that is another one under the same id. */
  readonly incarnation?: number | undefined;
  /** With a cancellation: the identity, for an unreadable execution. */
  readonly known?: Identity | null | undefined;
  /** If no slot is free for its direct calls, it is not stepped, instead of using the queue. */
  readonly waits?: boolean;
  /** Only while the execution is in this state. */
  readonly only?: RecheckedFilter | undefined;
};

/** The claimant, and whether it has time for a slow run. */
export type NextWanted = { readonly by?: Claimant; readonly slow: boolean };

export type AppliedInput = AppliedCommand & {
  /** The next run, claimed for the consumer that settled this one. */
  readonly next?: Ticket;
};

/** One turn's work before it is committed, and the state it depends on. */
export type Turn = {
  readonly drafts: Drafts;
  readonly heads: Heads;
  readonly flights: DirectCalls;
  readonly now: number;
};

export function applyInput(turn: Turn, item: InputItem): Result<AppliedInput> {
  const { drafts } = turn;
  const { execution, command, definition, direct, next: wanted, known, waits = false } = item;
  if (item.incarnation !== undefined && isOfEarlierIncarnation(item, drafts.stateOf(execution)))
    return refuse(incarnationIsOver(execution));
  if (item.only && !isMeant(item.only, item, drafts.stateOf(execution))) return refuse(notMeant(execution));
  // A settlement of a direct call from an earlier instance is accepted: it must not count as lost first.
  if (command.kind === "cancel") resendIfItCan(turn, execution);
  else if (command.kind !== "settle") resendLost(turn, execution);
  const hidden = command.kind === "start" && command.standalone?.dedup ? hiddenFirst(turn, command) : null;
  if (hidden !== null) return refuseAbsent(turn.heads, hidden);
  const first = command.kind === "start" && command.standalone?.dedup ? firstOf(turn, command) : null;
  if (first !== null && command.kind === "start") return repeated(turn, first, command);
  if (command.kind === "start" && turn.heads.isFull() && drafts.stateOf(execution) === null)
    return refuse(cellIsFull());
  const taken = drafts.apply(execution, command, direct, { definition, known, waits });
  if (command.kind !== "settle" || !wanted) return taken;
  if (!taken.ok) return toldAgain(turn, execution, command, wanted.by) ?? taken;
  const next = nextOf(turn, execution, wanted, command);
  return next ? accept({ ...taken.value, next }) : taken;
}

/** Existing executions continue, and a repeated start is answered as before. */
function cellIsFull() {
  return {
    code: "cell_full",
    message: "The storage shard for this execution is full.",
    hint: "Nothing was started. Ended executions are deleted when their retention ends: shorten the retention, or set the definition's placement to own.",
  } as const;
}

type Attempt = { readonly run: string; readonly attempt: number };

/** If claiming the next run fails, the engine queues that run as usual, because the settlement is stored in any case. */
function nextOf({ drafts }: Turn, execution: string, wanted: NextWanted, settled: Attempt): Ticket | null {
  try {
    return drafts.claimNext(execution, wanted, settled);
  } catch {
    return null; // the consumer of its message is refused the claim, and that is logged
  }
}

/** The settlement was applied, and the answer with the next run was lost: no other message would start that run. */
function toldAgain({ drafts }: Turn, execution: string, settled: Attempt, by?: Claimant): Result<AppliedInput> | null {
  const state = drafts.stateOf(execution);
  const run = state && by ? broughtBy(state, { ...settled, by }) : null;
  const next = state && run ? ticketOf(state, run.id, run.attempt) : null;
  return state && next ? accept({ state, seq: null, moves: [], repeated: true, next }) : null;
}

/** The id has been used again since this input was made. */
export function isOfEarlierIncarnation(
  { incarnation }: { readonly incarnation?: number | undefined },
  state: ExecutionState | null,
): boolean {
  return incarnation !== undefined && state !== null && state.createdAt > incarnation;
}

/** A repeated input gets its first answer; for an unreadable execution the step reports the fault. */
function isMeant(only: RecheckedFilter, { command }: InputItem, state: ExecutionState | null): boolean {
  if (state === null || stillMatches(only, state)) return true;
  return "inputId" in command && hasTaken(state, command.inputId, command.kind);
}

function notMeant(execution: string) {
  const message = `Execution ${execution} is no longer in the state that this request requires.`;
  return { code: "state_changed", message, details: { notMeant: true } } as const;
}

export function incarnationIsOver(execution: string) {
  const message = `The execution ${execution} that this request was for was deleted, and its id was used again.`;
  return { code: "not_found", message } as const;
}

/** An execution for which even that fails can still be canceled. */
function resendIfItCan(turn: Turn, execution: string): void {
  try {
    resendLost(turn, execution);
  } catch {
    // the cancellation itself finds the fault
  }
}

/** Once per turn: a drafted execution was checked when it was drafted. */
function resendLost({ drafts, flights }: Turn, execution: string): void {
  const state = drafts.has(execution) ? null : drafts.stateOf(execution);
  const runs = state ? lostDirectCalls(state, flights) : [];
  if (runs.length > 0) drafts.apply(execution, { kind: "orphaned", runs }, false);
}

/** The action of an earlier call with the same dedup key; null if its window is over. */
function firstOf({ drafts, heads, now }: Turn, { execution, inputId }: StartCommand): ExecutionState | null {
  const digest = dedupDigest(execution);
  const drafted = drafts.all().flatMap(({ state: { id } }) => (dedupDigest(id) === digest ? [id] : []));
  const ids = new Set([...drafted, ...heads.sameKey(execution)]);
  const actions = [...ids].flatMap((id) => drafts.stateOf(id) ?? []);
  return firstAsked(actions, inputId, now);
}

/**
 * An earlier action whose window includes this call, but that cannot be read: whether this call is a duplicate is
 * unknown.
 */
function hiddenFirst({ heads, now }: Turn, { execution, standalone }: StartCommand): string | null {
  const windowMs = standalone?.dedup?.windowMs ?? 0;
  const bornAt = (id: string): number => heads.identity(id)?.createdAt ?? timeOf(id) ?? 0;
  const isIn = (id: string): boolean => heads.isUnreadable(id) && now < bornAt(id) + windowMs;
  return heads.sameKey(execution).find(isIn) ?? null;
}

/** A repeat with the same Idempotency-Key must have the same body; other calls only share a dedup key. */
function repeated({ drafts }: Turn, first: ExecutionState, command: StartCommand): Result<AppliedInput> {
  const seq = first.receipts[0]?.seq ?? null;
  if (repeatOf(first, command) === null) return accept({ state: first, seq, moves: [], repeated: true });
  return drafts.apply(first.id, command, true);
}
