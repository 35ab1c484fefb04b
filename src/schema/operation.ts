// Bulk operations: a paced operation over many dead letters, a list of subjects, or many executions: its request, its
// progress, and the calls between its object and the Worker. Additive only, as for all objects.
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
import type { Appended, NumberedLine, Part, TroublePage } from "./subject/enrolling.ts";

/** steer: `steer.verb` is the verb for each execution. */
export const operationVerbs = ["retry", "archive", "enroll", "steer"] as const;
export type OperationVerb = (typeof operationVerbs)[number];
/** As shown: the verb for each. */
export const shownVerbs = [...new Set(["retry", "archive", "enroll", ...commandVerbs] as const)];
export type ShownVerb = (typeof shownVerbs)[number];

export const operationStatuses = ["open", "running", "done", "aborted", "stopped"] as const;
/** open: its list is still being uploaded. stopped: automatically, because too many failed. */
export type OperationStatus = (typeof operationStatuses)[number];

export type OperationTerms = {
  readonly id: string;
  readonly tenant: string;
  readonly verb: OperationVerb;
  /** Which dead letters, or which executions; or the definition to start, name@version. */
  readonly filter: OperationFilter;
  readonly perSecond: number;
  readonly reason: string | null;
  readonly actor: Actor;
  /** Failures from then on are excluded: a repeated failure is not retried again. */
  readonly createdAt: number;
  /** How many matched then; for a list, its number of lines. */
  readonly matched: number;
  /** How many of them their machines had handled: they are skipped. Absent if there were none. */
  readonly handled?: number;
  /** A digest of the request: the same key with another request is refused. */
  readonly fingerprint: string;
  /** For an operation over executions: the verb for each, and when it stops automatically. */
  readonly steer?: ExecutionCommand;
  /** Each only while it is in this state. */
  readonly ifState?: string;
  /** For automatic retries after a recovery: the connection, and the default number of retries. */
  readonly heal?: { readonly connection: string; readonly times: number | null };
  readonly stopAt?: StopCondition;
};

export type OperationFilter = DeadLetterFilters & ExecutionFilter;

type Tally = { readonly [what: string]: number };

export type OperationCounts = {
  /** Retried, or archived. */
  readonly released: number;
  /** Retried and found late, or no longer valid: by reason. */
  readonly skipped: Tally;
  /** No longer a dead letter on its turn, or its execution is gone. */
  readonly gone: number;
  /** By the refusal's code. */
  readonly refused: Tally;
};

export type OperationTotals = OperationCounts & { readonly matched: number; readonly remaining: number };

/** Nothing is lost: unfinished items are retried. */
export type OperationTrouble = { readonly since: number; readonly error: string; readonly tries: number };

export type OperationAbort = { readonly actor: Actor; readonly reason: string | null };

/** The operation as shown. */
export type OperationView = OperationTerms & {
  readonly status: OperationStatus;
  readonly finishedAt: number | null;
  readonly counts: OperationCounts;
  readonly remaining: number;
  readonly estimatedEndAt: number | null;
  readonly trouble: OperationTrouble | null;
  readonly aborted: OperationAbort | null;
  /** Why it stopped automatically; absent or null if it did not. */
  readonly stopped?: AutomaticStop | null;
};

export type OpenedOperation = { readonly operation: OperationView; readonly repeated: boolean };
export type AbortAsk = OperationAbort & { readonly dryRun: boolean };

/** The calls that an operation's object answers. */
export type Operation = {
  open(terms: OperationTerms): Promise<Result<OpenedOperation>>;
  /** null: there is none, or it was deleted. */
  read(): Promise<OperationView | null>;
  abort(ask: AbortAsk): Promise<Result<OpenedOperation>>;
  /** More lines for an open one. */
  append(part: Part): Promise<Result<Appended>>;
  /** From then on it accepts no more lines, and processes those it has. */
  start(): Promise<Result<OpenedOperation>>;
  /** A sample of its lines, spread over all of them. */
  sample(count: number): Promise<readonly NumberedLine[]>;
  /** Lines, or executions, that failed, in their order. */
  troubles(after: string | null, limit: number): Promise<TroublePage>;
};

/** The result of one dead letter, one line, or one execution. */
export type ItemOutcome = { readonly id: string } & (
  | { readonly kind: "released" }
  | { readonly kind: "skipped"; readonly reason: string; readonly message?: string }
  | { readonly kind: "gone" }
  | { readonly kind: "refused"; readonly code: string; readonly message?: string }
  /** Its execution could not be reached: it is still to be done. */
  | {
      readonly kind: "unreached";
      readonly error: string;
      /** It was reached, and failed unexpectedly: a retry may end the same way. */
      readonly isBroken?: true;
    }
);

/** The ids of dead letters, the longest waiting first; null if no more follow. */
export type OperationPage = { readonly ids: readonly string[]; readonly cursor: string | null };

/** The object's calls to the Worker, which reads the catalog and calls the cells. */
export type OperationWorkPort = {
  list(terms: OperationTerms, cursor: string | null): Promise<OperationPage>;
  act(terms: OperationTerms, ids: readonly string[]): Promise<readonly ItemOutcome[]>;
  enroll(terms: OperationTerms, lines: readonly NumberedLine[]): Promise<readonly ItemOutcome[]>;
  /** The next matching executions, in the order of creation: read once, and stored by the object. */
  find(terms: OperationTerms, cursor: string | null): Promise<MatchedPage>;
  /** Each line is one that was found. */
  control(terms: OperationTerms, lines: readonly NumberedLine[]): Promise<readonly ItemOutcome[]>;
  /** The health of processed executions. */
  checkHealth(terms: OperationTerms, lines: readonly NumberedLine[]): Promise<Health>;
  /** Updates the catalog at its end. */
  close(view: OperationView): Promise<void>;
};
