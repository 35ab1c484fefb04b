// A paced operation over many dead letters, over a list of subjects to be enrolled, or over many executions: what was asked for,
// how far it has come, and what its object and the Worker say to each other about it. Additive only, as with all calls of objects.
import type { DeadLetterFilters } from "./dead-letter.ts";
import type { Actor } from "./engine/input.ts";
import type { Result } from "./refusal.ts";
import {
  steerVerbs,
  type FoundPage,
  type Health,
  type MeantExecutions,
  type Steer,
  type StopAt,
  type Stopped,
} from "./engine/steering.ts";
import type { Appended, NumberedLine, Part, TroublePage } from "./subject/enrolling.ts";

/** steer: what is done to each execution is said beside it (`steer.verb`). */
export const operationVerbs = ["retry", "archive", "enroll", "steer"] as const;
export type OperationVerb = (typeof operationVerbs)[number];
/** As it is shown: what is done to each. */
export const shownVerbs = [...new Set(["retry", "archive", "enroll", ...steerVerbs] as const)];
export type ShownVerb = (typeof shownVerbs)[number];

export const operationStatuses = ["open", "running", "done", "aborted", "stopped"] as const;
/** open: its list is still being uploaded. stopped: by itself, for too much went wrong. */
export type OperationStatus = (typeof operationStatuses)[number];

export type OperationTerms = {
  readonly id: string;
  readonly tenant: string;
  readonly verb: OperationVerb;
  /** Which dead letters, or which executions; or what is to be started, name@version. */
  readonly filter: OperationFilter;
  readonly perSecond: number;
  readonly reason: string | null;
  readonly actor: Actor;
  /** What failed from then on is not meant: what fails again is not sent again. */
  readonly createdAt: number;
  /** How many there were then; of a list, how many lines it has. */
  readonly matched: number;
  /** How many of them their machines had taken care of: they are skipped. Absent where there were none. */
  readonly handled?: number;
  /** A digest of the request: the same key with another request is refused. */
  readonly fingerprint: string;
  /** Of one over executions: what is done to each, and when that stops by itself. */
  readonly steer?: Steer;
  /** Each of them only as long as it stands there. */
  readonly ifState?: string;
  /** Of dead letters that go out again by themselves: over which connection, and how often where their actions do not say. */
  readonly heal?: { readonly connection: string; readonly times: number | null };
  readonly stopAt?: StopAt;
};

export type OperationFilter = DeadLetterFilters & MeantExecutions;

type Tally = { readonly [what: string]: number };

export type OperationCounts = {
  /** Sent again, or archived. */
  readonly released: number;
  /** Asked for again and found late, or no longer valid: by reason. */
  readonly skipped: Tally;
  /** No dead letter any more when its turn came, or its execution is gone. */
  readonly gone: number;
  /** By the refusal's code. */
  readonly refused: Tally;
};

export type OperationTotals = OperationCounts & { readonly matched: number; readonly remaining: number };

/** Nothing is lost by it: what could not be done is tried again. */
export type OperationTrouble = { readonly since: number; readonly error: string; readonly tries: number };

export type OperationAbort = { readonly actor: Actor; readonly reason: string | null };

/** What an operation tells of itself. */
export type OperationView = OperationTerms & {
  readonly status: OperationStatus;
  readonly finishedAt: number | null;
  readonly counts: OperationCounts;
  readonly remaining: number;
  readonly estimatedEndAt: number | null;
  readonly trouble: OperationTrouble | null;
  readonly aborted: OperationAbort | null;
  /** Why it stopped automatically; absent or null if it did not. */
  readonly stopped?: Stopped | null;
};

export type OpenedOperation = { readonly operation: OperationView; readonly repeated: boolean };
export type AbortAsk = OperationAbort & { readonly dryRun: boolean };

/** The calls an operation's object answers. */
export type Operation = {
  open(terms: OperationTerms): Promise<Result<OpenedOperation>>;
  /** null: there is none, or it has let go of what it knew. */
  read(): Promise<OperationView | null>;
  abort(ask: AbortAsk): Promise<Result<OpenedOperation>>;
  /** More lines for one that is open. */
  append(part: Part): Promise<Result<Appended>>;
  /** From then on it takes no more lines, and goes through those it has. */
  start(): Promise<Result<OpenedOperation>>;
  /** Some of its lines, spread over all of them. */
  sample(count: number): Promise<readonly NumberedLine[]>;
  /** Lines, or executions, with which it was not done, in their order. */
  troubles(after: string | null, limit: number): Promise<TroublePage>;
};

/** What became of one dead letter, one line, or one execution. */
export type ItemOutcome = { readonly id: string } & (
  | { readonly kind: "released" }
  | { readonly kind: "skipped"; readonly reason: string; readonly message?: string }
  | { readonly kind: "gone" }
  | { readonly kind: "refused"; readonly code: string; readonly message?: string }
  /** Its execution could not be asked: it is still to be done. */
  | {
      readonly kind: "unreached";
      readonly error: string;
      /** It was asked, and broke over this one: another try may end the same way. */
      readonly isBroken?: true;
    }
);

/** The ids of dead letters, the longest waiting first; null where no more come after them. */
export type OperationPage = { readonly ids: readonly string[]; readonly cursor: string | null };

/** What the object asks of the Worker, which knows the catalog and the way to the cells. */
export type OperationWorkPort = {
  list(terms: OperationTerms, cursor: string | null): Promise<OperationPage>;
  act(terms: OperationTerms, ids: readonly string[]): Promise<readonly ItemOutcome[]>;
  enroll(terms: OperationTerms, lines: readonly NumberedLine[]): Promise<readonly ItemOutcome[]>;
  /** The next executions that are meant, in the order in which they were created: read once, and kept by the object. */
  find(terms: OperationTerms, cursor: string | null): Promise<FoundPage>;
  /** Each line is one that was found. */
  steer(terms: OperationTerms, lines: readonly NumberedLine[]): Promise<readonly ItemOutcome[]>;
  /** How those fare that were dealt with. */
  look(terms: OperationTerms, lines: readonly NumberedLine[]): Promise<Health>;
  /** Tells the catalog how it ended. */
  close(view: OperationView): Promise<void>;
};
