// Cell calls: the RPC interface of an execution object. A call has many items, commits once, and returns one answer per
// item in the same order. An item that failed unexpectedly gets the refusal `internal_error`. Changes are additive
// only, because Worker and object versions differ during a deploy.
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
   * The definition as stored text; null for a standalone action. It is absent if the cell has reported that it stores
   * this version. If the cell no longer does, it refuses the start with `details.definitionWanted`.
   */
  readonly definition?: string | null;
  /** The tenant's pool, as the caller has cached it. Absent for an execution with a cell of its own. */
  readonly pool?: Pool;
};

/** The answer to an accepted input. A repeat with the same inputId gets the same answer. */
export type Reply = {
  readonly state: ExecutionState;
  /** The `seq` of the journal entries that this input wrote. Null if it wrote none, or if their `seq` is unknown. */
  readonly seq: number | null;
  readonly repeated: boolean;
  readonly moves: readonly TimerMove[];
  /** The timers and runs whose time stayed the same although a variable changed. Absent in answers of older objects. */
  readonly notMoved?: readonly UnmovedItem[];
  readonly cameBack?: readonly RepeatedRun[];
  /** The event types that the execution accepts. Absent if it accepts none, or in answers of older objects. */
  readonly accepts?: readonly string[];
  /**
   * For a start: true if the cell stores the definition, so that the next start can leave it out. Absent in answers of
   * older objects.
   */
  readonly keepsDefinition?: boolean;
  /** Only on a dry run: the journal entries that the input would write. */
  readonly entries?: readonly JournalEntry[];
  /** Only on a dry run: the effects that the input would cause. Absent in answers of older objects. */
  readonly effects?: readonly Effect[];
};

export type ControlCommand = Extract<
  Command,
  {
    kind:
      | "event"
      | "patch"
      | "pause"
      | "resume"
      | "cancel"
      | "runNow"
      | "retry"
      | "archive"
      | "erase"
      | OperatorVerb
      | ReconcilerVerb;
  }
>;
/** Kinds of commands that only reconcilers accept. */
type ReconcilerVerb = "desire" | "observe";
type OperatorVerb = "skip" | "cancelAction" | "reschedule" | "hold" | "release" | "complete";
export type ControlItem = {
  /**
   * For a cancellation: the fields that identify the execution, because the cell may be unable to read it. Null if the
   * caller does not know them.
   */
  readonly known?: Identity | null;
  readonly execution: string;
  readonly command: ControlCommand;
  readonly dryRun: boolean;
  /** The execution's creation time. If the cell stores a later execution with the same id, it refuses the call. */
  readonly incarnation?: number;
  /**
   * The command applies only if the execution still matches this filter. A repeat of the command gets the first answer.
   */
  readonly only?: RecheckedFilter;
};
type AttemptItem = { readonly execution: string; readonly run: string; readonly attempt: number };
/** The claim of an attempt. A consumer whose claim got no answer repeats it, and gets the same ticket. */
export type ClaimItem = AttemptItem & { readonly by?: Claimant };
export type SettleItem = ClaimItem & {
  readonly outcome: Outcome;
  /**
   * True: the consumer that settles this run can execute the next one. The answer then contains the next run's ticket,
   * and no queue message is sent for it.
   */
  readonly takesNext?: boolean;
  /** True: the consumer that settles this run also executes a next run whose action is slow. */
  readonly takesSlow?: boolean;
};
/** A run that a limit by key may have a free slot for. `limit`, `at`: as in the input `wakeRun`. */
export type WakeItem = {
  readonly execution: string;
  readonly run: string;
  readonly limit: string;
  readonly at: number;
};
/**
 * Whether a run waits for a limit by key. waits: it waits, and is woken. asks: its attempt is under way and asks the
 * limit again without a wake-up. gone: it does not wait for the limit any more.
 */
export type WakeAnswer = "waits" | "asks" | "gone";
/** An attempt whose queue message is in the dead-letter queue. `message` is the id of that message. */
export type UndeliverableItem = AttemptItem & { readonly message?: string };
/**
 * Confirmations of outbox messages. `incarnation`: the creation time of the execution that sent them. A later execution
 * with the same id ignores them.
 */
export type ConfirmItem = {
  readonly execution: string;
  readonly incarnation: number;
  readonly items: readonly Confirmation[];
};
/**
 * The answer to a settlement. `next`: the ticket of the next run, which the same commit has claimed. Null if there is
 * no next run.
 */
export type SettleAnswer = { readonly next: Ticket | null };
export type JournalQuery = {
  readonly execution: string;
  readonly after: string | null;
  readonly limit: number;
  /** Only the journal entries of the input with this `seq` are returned, however old they are. They are one page. */
  readonly seq?: number;
};
export type JournalPage = { readonly entries: readonly JournalEntry[]; readonly nextCursor: string | null };

/** An answer without content. Objects of an older version return undefined for the whole call. */
export type Acknowledgment = readonly Result<null>[] | void;

export type Cell = {
  start(items: readonly StartItem[]): Promise<readonly Result<Reply>[]>;
  control(items: readonly ControlItem[]): Promise<readonly Result<Reply>[]>;
  claimMany(items: readonly ClaimItem[]): Promise<readonly Result<Ticket>[]>;
  settleMany(items: readonly SettleItem[]): Promise<readonly Result<SettleAnswer>[]>;
  /** Fails attempts whose messages are in the dead-letter queue. The machine handles them like any other failure. */
  undeliverable(items: readonly UndeliverableItem[]): Promise<Acknowledgment>;
  /** Confirms outbox messages that their recipients have handled. The execution then stops sending them. */
  confirm(items: readonly ConfirmItem[]): Promise<Acknowledgment>;
  /**
   * Wakes runs that a limit by key holds. The cell's alarm wakes them after this call, so that each chain of calls
   * between objects ends here.
   */
  wakeRuns(items: readonly WakeItem[]): Promise<readonly WakeAnswer[]>;
  /** As `confirm`, with replies: gives the answers of the limits on starts to executions. */
  place(items: readonly ConfirmItem[]): Promise<readonly Result<Reply>[]>;
  /** Wakes the executions: the cell processes their due work and sets a missing alarm. */
  poke(executions: readonly string[]): Promise<readonly Result<ExecutionState>[]>;
  /**
   * Sends projections again, after the catalog has lost them. Returns the executions whose projection could not be
   * sent.
   */
  reproject(executions: readonly string[]): Promise<readonly string[]>;
  read(execution: string): Promise<Result<ExecutionState>>;
  journal(query: JournalQuery): Promise<Result<JournalPage>>;
  /** Explains the state of an execution. */
  explain(query: ExplainQuery): Promise<Result<Explanation>>;
};
