// The calls an execution object answers. Lists throughout: one call with many items commits once, and is answered item by
// item, in the order asked. What breaks over one item is a refusal in its place (`internal_error`).
// Additive only: during a deploy both versions of Worker and object talk to each other.
import type { Effect } from "./effect.ts";
import type { Explanation, ExplainQuery } from "./explanation.ts";
import type { Command, StartCommand } from "./input.ts";
import type { CameBack, JournalEntry, NotMoved, TimerMove } from "./journal.ts";
import type { Confirmation } from "./outbox.ts";
import type { Outcome } from "./outcome.ts";
import type { Identity } from "./quarantine.ts";
import type { Pool } from "../placement/tenant-pool.ts";
import type { Result } from "../refusal.ts";
import type { Claimant, Ticket } from "./run.ts";
import type { ExecutionState } from "./state.ts";
import type { StillMeant } from "./steering.ts";

export type StartItem = {
  readonly command: StartCommand;
  /**
   * As stored; the cell parses it only if it does not know this version yet. null: an action alone. Absent: the cell has
   * said that it keeps it; one that does not any more refuses, with `details.definitionWanted`.
   */
  readonly definition?: string | null;
  /** The tenant's pool as the caller has cached it; absent for an execution of its own. */
  readonly pool?: Pool;
};

/** What a caller gets back for an accepted input; a repeated inputId gets the same again. */
export type Reply = {
  readonly state: ExecutionState;
  /** Of the entries that this input itself wrote, the first time it came; null where there are none, or it is not known. */
  readonly seq: number | null;
  readonly repeated: boolean;
  readonly moves: readonly TimerMove[];
  /** Absent from objects that are older than these. */
  readonly notMoved?: readonly NotMoved[];
  readonly cameBack?: readonly CameBack[];
  /** The types of events that it takes now. Absent where it takes none any more, or the object is older than this. */
  readonly accepts?: readonly string[];
  /** Of a start: the cell keeps its definition, which need not come with the next one. Absent from objects that are older. */
  readonly keepsDefinition?: boolean;
  /** On a dry run: what would have been written. */
  readonly entries?: readonly JournalEntry[];
  /** On a dry run: what would have been done. Absent from objects that are older than this. */
  readonly effects?: readonly Effect[];
};

export type ControlCommand = Extract<
  Command,
  { kind: "event" | "patch" | "pause" | "resume" | "cancel" | "runNow" | "retry" | "archive" | "erase" | ByHand | Told }
>;
/** Of reconcilers. */
type Told = "desire" | "observe";
type ByHand = "skip" | "reschedule" | "hold" | "release" | "complete";
export type ControlItem = {
  /** With a cancellation: who that is, should the execution itself not be able to tell; null: nobody knows. */
  readonly known?: Identity | null;
  readonly execution: string;
  readonly command: ControlCommand;
  readonly dryRun: boolean;
  /** Meant for the execution that there was then: one created later under the same id is not found. */
  readonly incarnation?: number;
  /** Meant for it only as long as it stands so; one that took this very command before has it answered again. */
  readonly only?: StillMeant;
};
type AttemptItem = { readonly execution: string; readonly run: string; readonly attempt: number };
/** The same claimant asks again where it had no answer, and gets the same ticket. */
export type ClaimItem = AttemptItem & { readonly by?: Claimant };
export type SettleItem = ClaimItem & {
  readonly outcome: Outcome;
  /** True: whoever settles has time for the run that comes next, if there is one, and no message need be sent for it. */
  readonly takesNext?: boolean;
  /** True: even if that one is slow. */
  readonly takesSlow?: boolean;
};
/** `message`: the one that the queue gave up on. */
export type UndeliverableItem = AttemptItem & { readonly message?: string };
/** `incarnation`: the execution's that sent the messages; one created later under its id is not changed. */
export type ConfirmItem = {
  readonly execution: string;
  readonly incarnation: number;
  readonly items: readonly Confirmation[];
};
/** `next` is claimed already, in the commit that settled the run before it. */
export type Settled = { readonly next: Ticket | null };
export type JournalQuery = {
  readonly execution: string;
  readonly after: string | null;
  readonly limit: number;
  /** Only what this one input set off, however far back it stands; then there are no further pages. */
  readonly seq?: number;
};
export type JournalPage = { readonly entries: readonly JournalEntry[]; readonly nextCursor: string | null };

/** Nothing is said with them but that they have been taken. Objects of an older version answer the whole call with nothing. */
export type Noted = readonly Result<null>[] | void;

export type Cell = {
  start(items: readonly StartItem[]): Promise<readonly Result<Reply>[]>;
  control(items: readonly ControlItem[]): Promise<readonly Result<Reply>[]>;
  claimMany(items: readonly ClaimItem[]): Promise<readonly Result<Ticket>[]>;
  settleMany(items: readonly SettleItem[]): Promise<readonly Result<Settled>[]>;
  /** What the dead-letter queue holds: the machine learns of it, as of any other failure. */
  undeliverable(items: readonly UndeliverableItem[]): Promise<Noted>;
  /** Messages of their outboxes were received or carried out: the executions stop sending them. */
  confirm(items: readonly ConfirmItem[]): Promise<Noted>;
  /** Wakes the cell: due work is done, alarms are compared and repaired. */
  poke(executions: readonly string[]): Promise<readonly Result<ExecutionState>[]>;
  /**
   * Sends projections again after the catalog lost them. Returns the executions whose projection could not be sent.
   */
  reproject(executions: readonly string[]): Promise<readonly string[]>;
  read(execution: string): Promise<Result<ExecutionState>>;
  journal(query: JournalQuery): Promise<Result<JournalPage>>;
  /** Why it stands where it stands. */
  explain(query: ExplainQuery): Promise<Result<Explanation>>;
};
