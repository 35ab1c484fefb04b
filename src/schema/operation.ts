// Bulk operations: paced work on many dead letters, executions, or subjects of a list. Contains the request, the
// progress, and the calls between the operation's object and the Worker. Changes are additive only.
import type { DeadLetterFilters } from "./dead-letter-filter.ts";
import type { Actor } from "./engine/input.ts";
import type { Result } from "./refusal.ts";
import {
  commandVerbs,
  type MatchedPage,
  type Health,
  type ExecutionFilter,
  type ExecutionCommand,
  type StopCondition,
  type AutomaticStop,
} from "./engine/execution-command.ts";
import type { AppendAnswer, NumberedLine, Part, LineFailurePage } from "./subject/enrolling.ts";

/**
 * The verbs of operations. An operation over executions has an internal verb; the verb that each execution gets is in
 * its command.
 */
export const operationVerbs = ["retry", "archive", "enroll", "steer"] as const;
export type OperationVerb = (typeof operationVerbs)[number];
/**
 * The verbs as the API shows them. An operation over executions is shown with the verb of its command, so the internal
 * verb is left out.
 */
export const shownVerbs = [...new Set(["retry", "archive", "enroll", ...commandVerbs] as const)];
export type ShownVerb = (typeof shownVerbs)[number];

export const operationStatuses = ["open", "running", "done", "aborted", "stopped"] as const;
/**
 * open: the list's parts are still being uploaded. stopped: the operation stopped automatically, because too many items
 * failed.
 */
export type OperationStatus = (typeof operationStatuses)[number];

export type OperationRequest = {
  readonly id: string;
  readonly tenant: string;
  readonly verb: OperationVerb;
  /** The filter of dead letters or executions. For a list: the definition to start, as name@version. */
  readonly filter: OperationFilter;
  readonly perSecond: number;
  readonly reason: string | null;
  readonly actor: Actor;
  /**
   * When the operation was created, in epoch ms. Later failures are excluded, so an item that fails again is not
   * retried again.
   */
  readonly createdAt: number;
  /** How many items matched when the operation was created. For an enrolment list: its number of lines. */
  readonly matched: number;
  /** How many matched dead letters were already handled and are skipped. Absent: none. */
  readonly handled?: number;
  /** A digest of the request. Another request with the same key is refused if its digest differs. */
  readonly fingerprint: string;
  /** For an operation over executions: the command for each execution. */
  readonly steer?: ExecutionCommand;
  /** The command applies only to executions in this state. */
  readonly ifState?: string;
  /**
   * Only for automatic retries: the connection, and its maximum number of retries (null: no maximum). It applies to
   * actions that set no maximum themselves.
   */
  readonly heal?: { readonly connection: string; readonly times: number | null };
  readonly stopAt?: StopCondition;
};

export type OperationFilter = DeadLetterFilters & ExecutionFilter;

type Tally = { readonly [what: string]: number };

export type OperationCounts = {
  /** How many items were retried or archived. */
  readonly released: number;
  /** How many items were skipped, by reason, for example because a run is too late. */
  readonly skipped: Tally;
  /** How many items were no longer dead letters when the operation reached them, or had a deleted execution. */
  readonly gone: number;
  /** How many items were refused, by the code of the refusal. */
  readonly refused: Tally;
};

export type OperationTotals = OperationCounts & { readonly matched: number; readonly remaining: number };

/** A fault that delays the operation. Unfinished items are tried again, so no item is lost. */
export type OperationFault = { readonly since: number; readonly error: string; readonly tries: number };

export type OperationAbort = { readonly actor: Actor; readonly reason: string | null };

/** The operation as the API shows it. */
export type OperationView = OperationRequest & {
  readonly status: OperationStatus;
  readonly finishedAt: number | null;
  readonly counts: OperationCounts;
  readonly remaining: number;
  readonly estimatedEndAt: number | null;
  readonly trouble: OperationFault | null;
  readonly aborted: OperationAbort | null;
  /** Why the operation stopped automatically. Absent or null if it did not. */
  readonly stopped?: AutomaticStop | null;
};

export type OpenedOperation = { readonly operation: OperationView; readonly repeated: boolean };
export type AbortRequest = OperationAbort & { readonly dryRun: boolean };

/** The RPC interface of an operation's object. */
export type Operation = {
  open(terms: OperationRequest): Promise<Result<OpenedOperation>>;
  /** Returns the operation. Returns null if the object stores none, because it was never begun or was deleted. */
  read(): Promise<OperationView | null>;
  abort(ask: AbortRequest): Promise<Result<OpenedOperation>>;
  /** Adds lines to an open operation. */
  append(part: Part): Promise<Result<AppendAnswer>>;
  /** Starts an open operation. From then on it accepts no further lines. */
  start(): Promise<Result<OpenedOperation>>;
  /** Returns a sample of the list's lines, spread over all lines. */
  sample(count: number): Promise<readonly NumberedLine[]>;
  /** Lists the lines or executions that failed, in the order of the list. */
  troubles(after: string | null, limit: number): Promise<LineFailurePage>;
};

/** The result of one item: a dead letter, a line, or an execution. */
export type ItemOutcome = { readonly id: string } & (
  | { readonly kind: "released" }
  | { readonly kind: "skipped"; readonly reason: string; readonly message?: string }
  | { readonly kind: "gone" }
  | { readonly kind: "refused"; readonly code: string; readonly message?: string }
  /** The execution could not be reached. The operation tries the item again. */
  | {
      readonly kind: "unreached";
      readonly error: string;
      /** True: the call failed unexpectedly, so another try may fail the same way. */
      readonly isBroken?: true;
    }
);

/** A page of dead letters, those that have waited longest first. `cursor` is null on the last page. */
export type OperationPage = { readonly ids: readonly string[]; readonly cursor: string | null };

/** The object's calls to the Worker, which reads the catalog and calls the cells. */
export type OperationWorkPort = {
  list(terms: OperationRequest, cursor: string | null): Promise<OperationPage>;
  act(terms: OperationRequest, ids: readonly string[]): Promise<readonly ItemOutcome[]>;
  enroll(terms: OperationRequest, lines: readonly NumberedLine[]): Promise<readonly ItemOutcome[]>;
  /**
   * Returns the next matching executions in the order of creation. The object stores their ids, so it searches each
   * page only once.
   */
  find(terms: OperationRequest, cursor: string | null): Promise<MatchedPage>;
  /** Sends the command to the executions of these lines. */
  control(terms: OperationRequest, lines: readonly NumberedLine[]): Promise<readonly ItemOutcome[]>;
  /** Checks the health of processed executions. */
  checkHealth(terms: OperationRequest, lines: readonly NumberedLine[]): Promise<Health>;
  /** Updates the operation's row in the catalog after the operation has ended. */
  close(view: OperationView): Promise<void>;
};
