// Cell calls: what an execution object answers. Lists throughout: one call with many items commits once, and each item
// is answered, in the order of the call. An item that failed unexpectedly gets a refusal in its place
// (`internal_error`). Additive only: during a deploy both versions of Worker and object call each other.
import type { Effect } from "./effect.ts";
import type { Explanation, ExplainQuery } from "./explanation.ts";
import type { Command, StartCommand } from "./input.ts";
import type { RepeatedRun, JournalEntry, UnmovedItem, TimerMove } from "./journal.ts";
import type { Confirmation } from "./outbox.ts";
import type { Outcome } from "./outcome.ts";
import type { Identity } from "./quarantine.ts";
import type { Pool } from "../placement/tenant-pool.ts";
import type { Result } from "../refusal.ts";
import type { Claimant, Ticket } from "./run.ts";
import type { ExecutionState } from "./state.ts";
import type { RecheckedFilter } from "./execution-command.ts";

export type StartItem = {
  readonly command: StartCommand;
  /**
   * As stored; the cell parses it only if it does not have this version yet. null: a standalone action. Absent: the
   * cell has reported that it stores it; one that no longer does refuses, with `details.definitionWanted`.
   */
  readonly definition?: string | null;
  /** The tenant's pool as the caller has cached it; absent for an execution of its own. */
  readonly pool?: Pool;
};

/** The answer to an accepted input; a repeated inputId gets the same answer. */
export type Reply = {
  readonly state: ExecutionState;
  /** The seq of the entries that this input itself wrote, at first; null if there are none, or it is unknown. */
  readonly seq: number | null;
  readonly repeated: boolean;
  readonly moves: readonly TimerMove[];
  /** Absent from objects older than these. */
  readonly notMoved?: readonly UnmovedItem[];
  readonly cameBack?: readonly RepeatedRun[];
  /** The accepted event types. Absent if it accepts none any more, or the object is older than this. */
  readonly accepts?: readonly string[];
  /** For a start: the cell stores its definition, which the next one need not contain. Absent from older objects. */
  readonly keepsDefinition?: boolean;
  /** On a dry run: the entries that would be written. */
  readonly entries?: readonly JournalEntry[];
  /** On a dry run: the effects that would happen. Absent from older objects. */
  readonly effects?: readonly Effect[];
};

export type ControlCommand = Extract<
  Command,
  { kind: "event" | "patch" | "pause" | "resume" | "cancel" | "runNow" | "retry" | "archive" | "erase" | ByHand | Told }
>;
/** Inputs of reconcilers. */
type Told = "desire" | "observe";
type ByHand = "skip" | "reschedule" | "hold" | "release" | "complete";
export type ControlItem = {
  /** The identity for a cancellation, if the execution cannot be read; null: unknown. */
  readonly known?: Identity | null;
  readonly execution: string;
  readonly command: ControlCommand;
  readonly dryRun: boolean;
  /** Limits the call to this incarnation: an execution created later under the same id is not found. */
  readonly incarnation?: number;
  /** Only while it is in this state; a repeat of the same command gets its first answer. */
  readonly only?: RecheckedFilter;
};
type AttemptItem = { readonly execution: string; readonly run: string; readonly attempt: number };
/** The same claimant repeats the call if it got no answer, and gets the same ticket. */
export type ClaimItem = AttemptItem & { readonly by?: Claimant };
export type SettleItem = ClaimItem & {
  readonly outcome: Outcome;
  /** True: the settling consumer has time for the next run, so no message is sent for it. */
  readonly takesNext?: boolean;
  /** True: even if that one is slow. */
  readonly takesSlow?: boolean;
};
/** `message`: the one that the queue gave up on. */
export type UndeliverableItem = AttemptItem & { readonly message?: string };
/** `incarnation`: of the execution that sent the messages; a later incarnation is not changed. */
export type ConfirmItem = {
  readonly execution: string;
  readonly incarnation: number;
  readonly items: readonly Confirmation[];
};
/** `next` is claimed already, in the commit that settled the run before it. */
export type SettleAnswer = { readonly next: Ticket | null };
export type JournalQuery = {
  readonly execution: string;
  readonly after: string | null;
  readonly limit: number;
  /** Only the entries of this input, however old; without further pages. */
  readonly seq?: number;
};
export type JournalPage = { readonly entries: readonly JournalEntry[]; readonly nextCursor: string | null };

/** Only an acknowledgment. Objects of an older version answer the whole call with nothing. */
export type Acknowledgment = readonly Result<null>[] | void;

export type Cell = {
  start(items: readonly StartItem[]): Promise<readonly Result<Reply>[]>;
  control(items: readonly ControlItem[]): Promise<readonly Result<Reply>[]>;
  claimMany(items: readonly ClaimItem[]): Promise<readonly Result<Ticket>[]>;
  settleMany(items: readonly SettleItem[]): Promise<readonly Result<SettleAnswer>[]>;
  /** Messages from the dead-letter queue: the machine gets them like any other failure. */
  undeliverable(items: readonly UndeliverableItem[]): Promise<Acknowledgment>;
  /** Messages of their outboxes were received or handled: the executions stop sending them. */
  confirm(items: readonly ConfirmItem[]): Promise<Acknowledgment>;
  /** Wakes the cell: due work is processed, alarms are compared and repaired. */
  poke(executions: readonly string[]): Promise<readonly Result<ExecutionState>[]>;
  /**
   * Sends projections again after the catalog lost them. Returns the executions whose projection could not be sent.
   */
  reproject(executions: readonly string[]): Promise<readonly string[]>;
  read(execution: string): Promise<Result<ExecutionState>>;
  journal(query: JournalQuery): Promise<Result<JournalPage>>;
  /** Explains its state. */
  explain(query: ExplainQuery): Promise<Result<Explanation>>;
};
