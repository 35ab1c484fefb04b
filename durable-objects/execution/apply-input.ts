// Input application: computes the result of one input within a turn. It first sends direct calls again that an earlier
// instance of the object lost. A start with a known dedup key returns the earlier action. Everything else is one step.
import { actionOfDedupKey } from "#kernel/programs/one-action.ts";
import { runInResponseTo } from "#kernel/execution/attempts.ts";
import { hasAccepted, repeatOf } from "#kernel/execution/receipts/receipts.ts";
import { stillMatches } from "#policy/operations/still-matches.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Claimant, Ticket } from "#schema/engine/run.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { dedupDigest, timeOf } from "#schema/ids.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { RecheckedFilter } from "#schema/engine/execution-command.ts";
import type { AppliedCommand, Drafts, NextWanted, Settlement } from "./drafts.ts";
import { lostDirectCalls, type DirectCalls } from "./direct-calls.ts";
import type { Heads } from "./heads/heads.ts";
import { refuseAbsent } from "./heads/unreadable.ts";
import { ticketOf } from "./ticket.ts";

export type InputItem = {
  readonly execution: string;
  readonly command: Command;
  /** Set for a start: the definition's JSON; null for a standalone action. */
  readonly definition?: string | null;
  /** If false, all runs that this input starts use the queue. */
  readonly direct: boolean;
  /** Set for a settlement whose consumer also wants to claim the next run. */
  readonly next?: NextWanted | null;
  /**
   * The input is refused if the execution was created after this time, epoch ms. The input then means an earlier
   * execution with the same id.
   */
  readonly incarnation?: number | undefined;
  /**
   * Set for a cancellation: the identity of the execution in the catalog, in case the execution's own row is
   * unreadable.
   */
  readonly known?: Identity | null | undefined;
  /** If true and no direct slot is free, the input is not stepped, and its answer has `waitsForSlot`. */
  readonly waitsForSlot?: boolean;
  /** The input is refused if the execution is no longer in this state. */
  readonly only?: RecheckedFilter | undefined;
};

export type AppliedInput = AppliedCommand & {
  /** The next run, claimed for the consumer that settled the previous run. */
  readonly next?: Ticket;
};

/** The uncommitted work of one turn, and the dependencies of its steps. */
export type Turn = {
  readonly drafts: Drafts;
  readonly heads: Heads;
  readonly directCalls: DirectCalls;
  readonly now: number;
};

export function applyInput(turn: Turn, item: InputItem): Result<AppliedInput> {
  const { drafts } = turn;
  const { execution, command, definition, direct, known, waitsForSlot = false } = item;
  if (item.incarnation !== undefined && isOfEarlierIncarnation(item, drafts.stateOf(execution)))
    return refuse(incarnationIsOver(execution));
  if (item.only && !isInRequiredState(item.only, item, drafts.stateOf(execution)))
    return refuse(stateChanged(execution));
  // A settlement does not send lost direct calls again, because it may be the outcome of such a call.
  if (command.kind === "cancel") tryResendLost(turn, execution);
  else if (command.kind !== "settle") resendLost(turn, execution);
  const unstepped = command.kind === "start" ? answerWithoutStep(turn, command) : null;
  if (unstepped !== null) return unstepped;
  const applied = drafts.apply(execution, command, direct, { definition, known, waitsForSlot });
  if (command.kind !== "settle" || !item.next) return applied;
  if (!applied.ok) return answerRepeatedSettlement(turn, execution, command, item.next.by) ?? applied;
  const next = claimNextRun(turn, execution, item.next, command);
  return next ? accept({ ...applied.value, next }) : applied;
}

/**
 * Returns the answer to a start that repeats an earlier action, or that the full cell refuses. Returns null if the
 * start must be stepped.
 */
function answerWithoutStep(turn: Turn, command: StartCommand): Result<AppliedInput> | null {
  const { drafts, heads } = turn;
  if (command.standalone?.dedup) {
    const unreadable = unreadableDuplicate(turn, command);
    if (unreadable !== null) return refuseAbsent(heads, unreadable);
    const first = earlierAction(turn, command);
    if (first !== null) return answerRepeat(turn, first, command);
  }
  return heads.isFull() && drafts.stateOf(command.execution) === null ? refuse(cellIsFull()) : null;
}

/**
 * A full cell refuses only new executions. Existing executions continue, and a repeated start gets its first answer.
 */
function cellIsFull() {
  return {
    code: "cell_full",
    message: "The storage shard for this execution is full.",
    hint: "Nothing was started. Shorten the retention so that ended executions are deleted earlier. Or set the definition's placement to own.",
  } as const;
}

/** Returns null if the claim fails. The settlement is stored in any case, and the next run is queued as usual. */
function claimNextRun({ drafts }: Turn, execution: string, wanted: NextWanted, settled: Settlement): Ticket | null {
  try {
    return drafts.claimNext(execution, wanted, settled);
  } catch {
    return null; // a consumer later claims the run through its queue message, and that claim reports the fault
  }
}

/**
 * Returns the next run to a consumer that sends a settlement again because it lost the first answer. That run has no
 * message in the queue, so no other consumer would start it.
 */
function answerRepeatedSettlement(
  { drafts }: Turn,
  execution: string,
  settled: Settlement,
  by?: Claimant,
): Result<AppliedInput> | null {
  const state = drafts.stateOf(execution);
  const run = state && by ? runInResponseTo(state, { ...settled, by }) : null;
  const next = state && run ? ticketOf(state, run.id, run.attempt) : null;
  return state && next ? accept({ state, seq: null, moves: [], repeated: true, next }) : null;
}

/** True if the id was used for a new execution after this input was created. */
export function isOfEarlierIncarnation(
  { incarnation }: { readonly incarnation?: number | undefined },
  state: ExecutionState | null,
): boolean {
  return incarnation !== undefined && state !== null && state.createdAt > incarnation;
}

/**
 * Returns true if the execution is in the required state. A repeated input also passes and gets its first answer. An
 * unreadable execution also passes, and its step reports the fault.
 */
function isInRequiredState(only: RecheckedFilter, { command }: InputItem, state: ExecutionState | null): boolean {
  if (state === null || stillMatches(only, state)) return true;
  return "inputId" in command && hasAccepted(state, command.inputId, command.kind);
}

function stateChanged(execution: string) {
  const message = `Execution ${execution} is no longer in the state that this request requires.`;
  return { code: "state_changed", message, details: { notMeant: true } } as const;
}

export function incarnationIsOver(execution: string) {
  const message = `The execution ${execution} that this request names was deleted. Another execution now has this id.`;
  return { code: "not_found", message } as const;
}

/** Sends lost direct calls again. Ignores faults, so that an execution that cannot be stepped can still be canceled. */
function tryResendLost(turn: Turn, execution: string): void {
  try {
    resendLost(turn, execution);
  } catch {
    // the cancellation meets the same fault, and handles it
  }
}

/**
 * Sends the execution's lost direct calls again. An execution with a draft is skipped, because it was checked before
 * its first draft of the turn.
 */
function resendLost({ drafts, directCalls }: Turn, execution: string): void {
  const state = drafts.hasDraft(execution) ? null : drafts.stateOf(execution);
  const runs = state ? lostDirectCalls(state, directCalls) : [];
  if (runs.length > 0) drafts.apply(execution, { kind: "orphaned", runs }, false);
}

/**
 * Returns the first action with this start's dedup key; null if no action has the key, or if its dedup window is over.
 */
function earlierAction({ drafts, heads, now }: Turn, { execution, inputId }: StartCommand): ExecutionState | null {
  const digest = dedupDigest(execution);
  const drafted = drafts.all().flatMap(({ state: { id } }) => (dedupDigest(id) === digest ? [id] : []));
  const ids = new Set([...drafted, ...heads.sameDedupKey(execution)]);
  const actions = [...ids].flatMap((id) => drafts.stateOf(id) ?? []);
  return actionOfDedupKey(actions, inputId, now);
}

/**
 * Returns an unreadable action that has the start's dedup key and may be inside its dedup window; null if there is
 * none. With such an action it is unknown whether the start is a duplicate.
 */
function unreadableDuplicate({ heads, now }: Turn, { execution, standalone }: StartCommand): string | null {
  const windowMs = standalone?.dedup?.windowMs ?? 0;
  const createdAt = (id: string): number => heads.identity(id)?.createdAt ?? timeOf(id) ?? 0;
  const hidesDuplicate = (id: string): boolean => heads.isUnreadable(id) && now < createdAt(id) + windowMs;
  return heads.sameDedupKey(execution).find(hidesDuplicate) ?? null;
}

/**
 * Answers a start that repeats an earlier action. A repeat of the same Idempotency-Key is stepped, because the step
 * checks that its body is the same. A start that only has the same dedup key is not stepped.
 */
function answerRepeat({ drafts }: Turn, first: ExecutionState, command: StartCommand): Result<AppliedInput> {
  const seq = first.receipts[0]?.seq ?? null;
  if (repeatOf(first, command) === null) return accept({ state: first, seq, moves: [], repeated: true });
  return drafts.apply(first.id, command, true);
}
