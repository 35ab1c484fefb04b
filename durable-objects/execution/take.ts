// What an input of a turn comes to: flights lost with an earlier life of the object are sent again first, a start under
// a known dedup key is the action that was there before, and everything else is one step.
import { firstAsked } from "#kernel/programs/one-action.ts";
import { broughtBy } from "#kernel/execution/claimant.ts";
import { hasTaken, repeatOf } from "#kernel/execution/receipts/receipts.ts";
import { isStillMeant } from "#policy/operations/still-meant.ts";
import type { Command, StartCommand } from "#schema/engine/input.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { Claimant, Ticket } from "#schema/engine/run.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { dedupDigest, timeOf } from "#schema/ids.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { StillMeant } from "#schema/engine/steering.ts";
import type { Applied, Drafts } from "./drafts.ts";
import { lostFlights, type Flights } from "./flights.ts";
import type { Heads } from "./heads/heads.ts";
import { refuseAbsent } from "./heads/unreadable.ts";
import { ticketOf } from "./ticket.ts";

export type Item = {
  readonly execution: string;
  readonly command: Command;
  /** With a start: the definition as stored; null where it is an action alone. */
  readonly definition?: string | null;
  /** False keeps everything this input sets off in the queue lane. */
  readonly direct: boolean;
  /** With a settlement: the next run goes to whoever brings it, instead of into the queue. */
  readonly next?: NextWanted | null;
  /** An execution created later than that is another one under the same id. */
  readonly incarnation?: number | undefined;
  /** With a cancellation: who that is, should the execution itself be unreadable. */
  readonly known?: Identity | null | undefined;
  /** Rather than to go by queue for want of a place in flight it stays as it is. */
  readonly waits?: boolean;
  /** Only as long as it stands so. */
  readonly only?: StillMeant | undefined;
};

/** Who takes it, and whether they have the time for a slow one. */
export type NextWanted = { readonly by?: Claimant; readonly slow: boolean };

export type Taken = Applied & {
  /** Claimed for whoever brought the settlement before it. */
  readonly next?: Ticket;
};

/** One turn's work before it is committed, and what it is worked out on. */
export type Turn = { readonly drafts: Drafts; readonly heads: Heads; readonly flights: Flights; readonly now: number };

export function take(turn: Turn, item: Item): Result<Taken> {
  const { drafts } = turn;
  const { execution, command, definition, direct, next: wanted, known, waits = false } = item;
  if (item.incarnation !== undefined && isOfEarlierLife(item, drafts.stateOf(execution)))
    return refuse(lifeIsOver(execution));
  if (item.only && !isMeant(item.only, item, drafts.stateOf(execution))) return refuse(notMeant(execution));
  // A settlement from a flight of an earlier life is still welcome: it must not be taken for lost first.
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

/** Whoever is there goes on; whoever asks again for one that is there is answered as ever. */
function cellIsFull() {
  return {
    code: "cell_full",
    message: "the cell that this would live in holds as much as an object may",
    hint: "Nothing was started. What has ended leaves it when its retention is over: shorten that, or give the definition the placement own.",
  } as const;
}

type Attempt = { readonly run: string; readonly attempt: number };

/** One that breaks over its claim goes by message like any other: the settlement before it stands all the same. */
function nextOf({ drafts }: Turn, execution: string, wanted: NextWanted, settled: Attempt): Ticket | null {
  try {
    return drafts.claimNext(execution, wanted, settled);
  } catch {
    return null; // whoever claims it by its message is refused, and that is logged
  }
}

/** The settlement was taken, and the answer lost that had the next run in it: nobody else would ever begin that one. */
function toldAgain({ drafts }: Turn, execution: string, settled: Attempt, by?: Claimant): Result<Taken> | null {
  const state = drafts.stateOf(execution);
  const run = state && by ? broughtBy(state, { ...settled, by }) : null;
  const next = state && run ? ticketOf(state, run.id, run.attempt) : null;
  return state && next ? accept({ state, seq: null, moves: [], repeated: true, next }) : null;
}

/** The id of what this was meant for has been used again since. */
export function isOfEarlierLife(
  { incarnation }: { readonly incarnation?: number | undefined },
  state: ExecutionState | null,
): boolean {
  return incarnation !== undefined && state !== null && state.createdAt > incarnation;
}

/** One that took this before is answered as it was then; of one that cannot be read the step says what is wrong with it. */
function isMeant(only: StillMeant, { command }: Item, state: ExecutionState | null): boolean {
  if (state === null || isStillMeant(only, state)) return true;
  return "inputId" in command && hasTaken(state, command.inputId, command.kind);
}

function notMeant(execution: string) {
  const message = `${execution} is no longer one of those that are meant`;
  return { code: "state_changed", message, details: { notMeant: true } } as const;
}

export function lifeIsOver(execution: string) {
  const message = `the ${execution} that this is for is no more: its id has been used again`;
  return { code: "not_found", message } as const;
}

/** What cannot even do that can be canceled all the same. */
function resendIfItCan(turn: Turn, execution: string): void {
  try {
    resendLost(turn, execution);
  } catch {
    // the cancellation itself finds out what is wrong with it
  }
}

/** Once a turn is enough: what has been drafted was looked at when it was. */
function resendLost({ drafts, flights }: Turn, execution: string): void {
  const state = drafts.has(execution) ? null : drafts.stateOf(execution);
  const runs = state ? lostFlights(state, flights) : [];
  if (runs.length > 0) drafts.apply(execution, { kind: "orphaned", runs }, false);
}

/** The action that a call with the same dedup key has made already; null where its window is over. */
function firstOf({ drafts, heads, now }: Turn, { execution, inputId }: StartCommand): ExecutionState | null {
  const digest = dedupDigest(execution);
  const drafted = drafts.all().flatMap(({ state: { id } }) => (dedupDigest(id) === digest ? [id] : []));
  const ids = new Set([...drafted, ...heads.sameKey(execution)]);
  const actions = [...ids].flatMap((id) => drafts.stateOf(id) ?? []);
  return firstAsked(actions, inputId, now);
}

/** One in whose window the call falls, and that cannot be read: it cannot be told whether this would be the second. */
function hiddenFirst({ heads, now }: Turn, { execution, standalone }: StartCommand): string | null {
  const windowMs = standalone?.dedup?.windowMs ?? 0;
  const bornAt = (id: string): number => heads.identity(id)?.createdAt ?? timeOf(id) ?? 0;
  const isIn = (id: string): boolean => heads.isUnreadable(id) && now < bornAt(id) + windowMs;
  return heads.sameKey(execution).find(isIn) ?? null;
}

/** Who comes again under the same Idempotency-Key must ask for the same; the others only share a dedup key. */
function repeated({ drafts }: Turn, first: ExecutionState, command: StartCommand): Result<Taken> {
  const seq = first.receipts[0]?.seq ?? null;
  if (repeatOf(first, command) === null) return accept({ state: first, seq, moves: [], repeated: true });
  return drafts.apply(first.id, command, true);
}
