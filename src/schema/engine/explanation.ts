// Explanations: why an execution is in its state, with the next journal entry, the waits, and the skipped work. The
// kernel computes the facts; `policy/advice/explanation` adds the sentences.
import type { ZoneInUse } from "../explanation/zone-in-use.ts";
import type { DefinitionRef } from "../definition/definition.ts";
import type { Json, JsonObject, Rule } from "../json.ts";
import type { GateView } from "../gate.ts";
import type { JournalEntry } from "./journal.ts";
import type { CapWait, ClosedHours, KeyLimitWait, RunPreconditions, StartWait } from "../explanation/pending-limits.ts";
import type { ActionError, ConnectionHoldReason } from "./outcome.ts";
import type { QuarantineKind } from "./quarantine.ts";
import type { RunStatus } from "./run.ts";
import type { ExecutionStatus } from "./state.ts";

/** A rule of the definition, with its current result and the values that it read. */
export type EvaluatedRule = {
  /** Where the rule is: a JSON pointer into the definition, or the name of a field of the run's action. */
  readonly at: string;
  readonly rule: Rule;
  /** The rule's result; null if it depends on a future event or cannot be evaluated (`fault` has the reason). */
  readonly result: boolean | null;
  readonly fault?: string;
  /** The values that the rule read, by path. Long values are shortened. */
  readonly values: JsonObject;
};

/** The fields that identify a journal entry: its kind, and what it is about. */
export type EntryLine = { readonly kind: JournalEntry["kind"]; readonly [field: string]: Json };

/**
 * What causes a predicted entry. time: a timer. runner: a run in progress. parent, child, directory, subject, limit, lists: a
 * message from that part of the engine. event, person, tenant: a client's or operator's request. retention: the
 * deletion of the history.
 */
export type Cause =
  | "time"
  | "runner"
  | "parent"
  | "child"
  | "directory"
  | "subject"
  | "limit"
  | "lists"
  | "event"
  | "person"
  | "tenant"
  | "retention"
  | "none";

/** A predicted journal entry. `kind` is null if the execution will write no further entry. */
export type PredictedEntry = {
  readonly kind: JournalEntry["kind"] | null;
  /** What the entry is about, in the fields of the entry itself: `run`, `timer`, `action`, … */
  readonly about: JsonObject;
  readonly by: Cause;
  /** The exact time of the entry (epoch ms); null if it depends on a client's or operator's request. */
  readonly at: number | null;
  /** The bounds of the entry's time, in epoch ms; null if the bound is unknown. */
  readonly earliest: number | null;
  readonly latest: number | null;
  /** How the attempt in progress is assumed to end; null if the prediction does not depend on it. */
  readonly assumes: "ok" | "failed" | null;
  /** The types of events that the execution accepts. */
  readonly events?: readonly string[];
  /** Further journal entries that the same step will write. */
  readonly with: readonly EntryLine[];
  /** How many other entries of the step are left out of `with`. */
  readonly more: number;
};

/** The collector of a reconciler. `nextAt`: its next call, in epoch ms; null while a call is in progress. */
export type ObservedBy = {
  readonly action: string;
  readonly nextAt: number | null;
  readonly failures: number;
  readonly error: ActionError | null;
};

type OfRun = { readonly run: string; readonly action: string };
type Until = { readonly until: number | null };

export type Wait = Until &
  /** The zone is that of the timer's delay or schedule. Absent if the delay is an exact length of time. */
  (
    | ({
        readonly for: "timer";
        readonly timer: string;
        readonly state: string;
        readonly action: string | null;
        readonly guards: readonly EvaluatedRule[];
      } & ZoneInUse)
    /** The zone is that of the run's delay. Absent if the run has no delay, or an exact length of time. */
    | ({
        readonly for: "run";
        readonly run: string;
        readonly action: string;
        readonly status: RunStatus;
        readonly attempt: number;
        readonly attemptsMax: number;
        readonly error: ActionError | null;
        /** If the run is not sent before this time (epoch ms), it is skipped. Null: the run never expires. */
        readonly expiresAt: number | null;
        readonly conditions: readonly EvaluatedRule[];
        /** True: an operator can give up the attempt in flight. */
        readonly canCancel?: true;
      } & RunPreconditions &
        ZoneInUse)
    /** A delay that depends on a variable without a value. */
    | {
        readonly for: "anchor";
        readonly run: string | null;
        readonly timer: string | null;
        readonly delay: Json;
        /** The rule whose result is the date from which the delay counts, and the values that the rule reads. */
        readonly anchor: Rule;
        readonly values: JsonObject;
      }
    | ({
        readonly for: "slot";
        readonly concurrency: number;
        readonly takenBy: readonly string[];
        /** The number of runs of the execution that wait before this run. */
        readonly ahead: number;
      } & OfRun &
        RunPreconditions)
    | ({
        readonly for: "connection";
        readonly connection: string | null;
        readonly reason: ConnectionHoldReason;
        /** The connection's current state. Absent if the connection's object did not answer. */
        readonly gate?: GateView;
      } & OfRun)
    | (ClosedHours & OfRun & RunPreconditions)
    | ({ readonly for: "cap" } & CapWait & OfRun & RunPreconditions)
    | ({ readonly for: "limit" } & KeyLimitWait & OfRun & RunPreconditions)
    | ({ readonly for: "start_limit" } & StartWait)
    | ({ readonly for: "quota" | "queue_share" | "receipt" } & OfRun)
    | {
        readonly for: "event";
        readonly event: string;
        readonly states: readonly string[];
        /** The effect that the event would have now. kept: it would be buffered until the execution is resumed. */
        readonly would: "accepted" | "depends" | "refused" | "kept";
        readonly guards: readonly EvaluatedRule[];
        readonly to: readonly string[];
      }
    /** A wait for a change of variables. These rules are evaluated again at every change. */
    | { readonly for: "variables"; readonly states: readonly string[]; readonly guards: readonly EvaluatedRule[] }
    | ({ readonly for: "person"; readonly deadLetter: string; readonly error: ActionError | null } & OfRun)
    | ({
        readonly for: "task";
        readonly task: string;
        /** The title with which the task was created; null if the run is no longer stored. */
        readonly title: string | null;
        readonly remindAt: number | null;
        readonly escalateAt: number | null;
      } & OfRun)
    | ({ readonly for: "child"; readonly execution: string; readonly events: readonly string[] } & OfRun)
    /** A run that an operator holds. After its release it is sent at `dueAt`, or immediately if `dueAt` has passed. */
    | ({
        readonly for: "release";
        readonly since: number;
        readonly by: string;
        readonly reason: string | null;
        readonly dueAt: number | null;
      } & OfRun &
        RunPreconditions)
    | {
        readonly for: "resume";
        readonly since: number;
        readonly reason: string | null;
        readonly error: ActionError | null;
      }
    | { readonly for: "tenant" }
    /** The execution has ended, and waits for this child's end (`awaited`) or has to cancel the child (`canceling`). */
    | ({ readonly for: "children"; readonly how: "awaited" | "canceling"; readonly execution: string | null } & OfRun)
    | { readonly for: "parent"; readonly execution: string }
    | { readonly for: "directory"; readonly key: string | null }
    /** The execution has ended, and its subject's object has not confirmed that yet. */
    | { readonly for: "subject"; readonly key: string }
    /** A journey node that begins only after more of its incoming edges are taken. */
    | {
        readonly for: "join";
        readonly node: string;
        readonly needs: number;
        readonly taken: number;
        readonly dead: number;
        readonly from: readonly string[];
      }
    /** The observed state of a reconciler. `until`: when it becomes stale, in epoch ms. */
    | {
        readonly for: "observation";
        /** The revision of the observed state. 0: nothing has been observed yet. */
        readonly revision: number;
        readonly observedAt: number | null;
        /** True: the observation is too old, so the rules are not evaluated before the next one. */
        readonly isStale: boolean;
        readonly collector: ObservedBy | null;
        /** Why the rules cannot be evaluated; null if they can. */
        readonly fault: string | null;
        /** The rules of the reconciler's current state. */
        readonly guards: readonly EvaluatedRule[];
      }
    /** A change of a reconciler's desired state. */
    | { readonly for: "desired"; readonly revision: number }
    /** The next evaluation of a reconciler's rules, because something has changed. */
    | { readonly for: "tick" }
    /** The execution is quarantined. At `until`, the engine tries to step it again. */
    | { readonly for: "engine"; readonly kind: QuarantineKind; readonly reason: string; readonly since: number }
  );

/** An event that the current state does not accept but another state would, and what would happen to the event now. */
export type NotNow = { readonly event: string; readonly would: "kept" | "refused"; readonly code: string | null };

export type NotDone =
  | {
      readonly what: "run";
      readonly run: string;
      readonly action: string;
      readonly status: "skipped" | "canceled" | "failed";
      readonly reason: string;
      readonly at: number;
      /** When a new run may pass the cap or the limit by key that skipped the run. Absent if this is unknown. */
      readonly nextAt?: number;
      readonly error: ActionError | null;
      /** The event of the failure and the resulting state; null if the definition did not handle the failure. */
      readonly heard: { readonly event: string; readonly state: string } | null;
      /** The id of the dead letter that an operator may retry. Null if there is none. */
      readonly deadLetter: string | null;
      /**
       * The run's conditions as they were evaluated at the time. If the journal no longer has them, they are evaluated
       * now.
       */
      readonly conditions: readonly EvaluatedRule[];
    }
  | {
      readonly what: "event";
      readonly event: string;
      readonly id: string | null;
      /** The outcome of the event. kept: it is buffered until a state accepts it. */
      readonly outcome: "kept" | "ignored" | "dropped";
      readonly reason: string;
      readonly at: number | null;
    }
  | { readonly what: "timer"; readonly timer: string; readonly reason: string; readonly at: number }
  /** A skipped node of a journey. `at` is null if the journal no longer has the entry. */
  | { readonly what: "node"; readonly node: string; readonly reason: string; readonly at: number | null };

export type ExecutionEnd = {
  readonly status: ExecutionStatus;
  readonly at: number;
  readonly reason: string | null;
  readonly error: ActionError | null;
};

export type Explanation = {
  readonly execution: string;
  readonly definition: DefinitionRef;
  readonly status: ExecutionStatus | null;
  readonly states: readonly string[];
  /** When this explanation was computed, in epoch ms. */
  readonly asOf: number;
  readonly ended: ExecutionEnd | null;
  readonly next: PredictedEntry;
  /** Other predicted entries that may occur before `next`. */
  readonly or: readonly PredictedEntry[];
  readonly waits: readonly Wait[];
  readonly notNow: readonly NotNow[];
  readonly notDone: readonly NotDone[];
  /** How many items were left out of each list. */
  readonly leftOut: { readonly waits: number; readonly notNow: number; readonly notDone: number };
};

/** An API request with which a client can end or change the explained wait. */
export type SuggestedRequest = {
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: JsonObject;
};
/** A fact with a sentence for people in `says`. */
export type WithSummary<T> = T & { readonly says: string };
export type SummarizedExplanation = WithSummary<
  Omit<Explanation, "next" | "or" | "waits" | "notNow" | "notDone" | "ended">
> & {
  readonly ended: WithSummary<ExecutionEnd> | null;
  readonly next: WithSummary<PredictedEntry>;
  readonly or: readonly WithSummary<PredictedEntry>[];
  readonly waits: readonly (WithSummary<Wait> & { readonly can: readonly SuggestedRequest[] })[];
  readonly notNow: readonly WithSummary<NotNow>[];
  readonly notDone: readonly (WithSummary<NotDone> & { readonly can: readonly SuggestedRequest[] })[];
};

export type ExplainQuery = {
  readonly execution: string;
  /** True: the execution's tenant is suspended. */
  readonly suspended: boolean;
};
