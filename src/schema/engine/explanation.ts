// Explanations: why an execution is in its state: the next journal entry, the waits, and the skipped work. The kernel
// makes them from facts; `policy/advice/explanation` adds sentences.
import type { DefinitionRef } from "../definition/definition.ts";
import type { Json, JsonObject, Rule } from "../json.ts";
import type { GateView } from "../gate.ts";
import type { JournalEntry } from "./journal.ts";
import type { RunPreconditions } from "../explanation/pending-limits.ts";
import type { ActionError, Hold } from "./outcome.ts";
import type { QuarantineKind } from "./quarantine.ts";
import type { RunStatus } from "./run.ts";
import type { ExecutionStatus } from "./state.ts";

/** The current result of a rule, with the values that it read. */
export type EvaluatedRule = {
  /** The place of the rule: a JSON pointer into the definition, or the field of the run's action. */
  readonly at: string;
  readonly rule: Rule;
  /** The result; null if it depends on a future event or cannot be evaluated (`fault` has the reason). */
  readonly result: boolean | null;
  readonly fault?: string;
  /** The values that the rule read, by path. Long values are cut. */
  readonly values: JsonObject;
};

/** The identifying fields of a journal entry: its kind, and its subject. */
export type EntryLine = { readonly kind: JournalEntry["kind"]; readonly [field: string]: Json };

/**
 * The cause of a predicted entry. time: a timer. runner: a run in progress. parent, child, directory, subject, lists: a
 * message of another part of the engine. event, person, tenant: only an outside action. retention: the deletion of the
 * history.
 */
export type Cause =
  | "time"
  | "runner"
  | "parent"
  | "child"
  | "directory"
  | "subject"
  | "lists"
  | "event"
  | "person"
  | "tenant"
  | "retention"
  | "nobody";

/** A predicted journal entry. `kind` is null if no entry will follow. */
export type PredictedEntry = {
  readonly kind: JournalEntry["kind"] | null;
  /** The subject of the entry, in the entry's own fields: `run`, `timer`, `action`, … */
  readonly about: JsonObject;
  readonly by: Cause;
  /** The exact time in epoch ms; null if it depends on an outside action. */
  readonly at: number | null;
  /** The earliest and the latest time, in epoch ms; null if unknown. */
  readonly earliest: number | null;
  readonly latest: number | null;
  /** The assumed end of the attempt in progress; null without an assumption. */
  readonly assumes: "ok" | "failed" | null;
  /** The types of events that the execution accepts. */
  readonly events?: readonly string[];
  /** Further entries of the same step. */
  readonly with: readonly EntryLine[];
  /** The number of further entries that are not in `with`. */
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
  (
    | {
        readonly for: "timer";
        readonly timer: string;
        readonly state: string;
        readonly action: string | null;
        readonly guards: readonly EvaluatedRule[];
      }
    | ({
        readonly for: "run";
        readonly run: string;
        readonly action: string;
        readonly status: RunStatus;
        readonly attempt: number;
        readonly attemptsMax: number;
        readonly error: ActionError | null;
        /** The run is skipped if it is not sent before this instant; null without a limit. */
        readonly expiresAt: number | null;
        readonly conditions: readonly EvaluatedRule[];
      } & RunPreconditions)
    /** A delay that depends on a variable which is not set yet. */
    | {
        readonly for: "anchor";
        readonly run: string | null;
        readonly timer: string | null;
        readonly delay: Json;
        /** The rule that returns the date of the delay, and the values that it reads. */
        readonly anchor: Rule;
        readonly values: JsonObject;
      }
    | ({
        readonly for: "slot";
        readonly concurrency: number;
        readonly takenBy: readonly string[];
        /** The number of runs that wait before this run. */
        readonly ahead: number;
      } & OfRun &
        RunPreconditions)
    | ({
        readonly for: "connection";
        readonly connection: string | null;
        readonly reason: Hold["reason"];
        /** The connection's current state; absent if its object did not answer. */
        readonly gate?: GateView;
      } & OfRun)
    /** A closed time window. `window` is the name or the inline window of the run's node. */
    | ({ readonly for: "window"; readonly window: Json } & OfRun & RunPreconditions)
    /** The cap of the run's subject; the number of recent sends is null if the run has not recorded it. */
    | ({
        readonly for: "cap";
        readonly cap: string | null;
        readonly subject: string | null;
        readonly max: number | null;
      } & OfRun &
        RunPreconditions)
    | ({ readonly for: "quota" | "queue_share" | "receipt" } & OfRun)
    | {
        readonly for: "event";
        readonly event: string;
        readonly states: readonly string[];
        /** The predicted effect of the event. kept: it is buffered until the execution is resumed. */
        readonly would: "taken" | "depends" | "refused" | "kept";
        readonly guards: readonly EvaluatedRule[];
        readonly to: readonly string[];
      }
    /** Rules that are evaluated again whenever a variable changes. */
    | { readonly for: "variables"; readonly states: readonly string[]; readonly guards: readonly EvaluatedRule[] }
    | ({ readonly for: "person"; readonly deadLetter: string; readonly error: ActionError | null } & OfRun)
    | ({
        readonly for: "task";
        readonly task: string;
        readonly remindAt: number | null;
        readonly escalateAt: number | null;
      } & OfRun)
    | ({ readonly for: "child"; readonly execution: string; readonly events: readonly string[] } & OfRun)
    /** An operator holds the run until it is released. It is then sent at `dueAt`, or at once if `dueAt` has passed. */
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
    /** The execution has ended, and waits for this child (`awaited`) or still has to cancel it (`canceling`). */
    | ({ readonly for: "parting"; readonly how: "awaited" | "canceling"; readonly execution: string | null } & OfRun)
    | { readonly for: "parent"; readonly execution: string }
    | { readonly for: "directory"; readonly key: string | null }
    /** The subject's object has not yet confirmed the execution's end. */
    | { readonly for: "subject"; readonly key: string }
    /** A journey node for which further incoming edges must be taken. */
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
        /** The revision of the observed state. 0: nothing was observed yet. */
        readonly revision: number;
        readonly observedAt: number | null;
        /** True: rules are evaluated only after a newer observation. */
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
    /** The execution is quarantined. The engine steps it again at `until`. */
    | { readonly for: "engine"; readonly kind: QuarantineKind; readonly reason: string; readonly since: number }
  );

/** An event that only another state accepts, and what would happen to it now. */
export type NotNow = { readonly event: string; readonly would: "kept" | "refused"; readonly code: string | null };

export type NotDone =
  | {
      readonly what: "run";
      readonly run: string;
      readonly action: string;
      readonly status: "skipped" | "canceled" | "failed";
      readonly reason: string;
      readonly at: number;
      readonly error: ActionError | null;
      /** The event and the resulting state, if the definition handled the failure; else null. */
      readonly heard: { readonly event: string; readonly state: string } | null;
      /** The id of the dead letter that an operator may retry; null without one. */
      readonly deadLetter: string | null;
      /** The conditions as evaluated then. If the journal no longer has them, they are evaluated now. */
      readonly conditions: readonly EvaluatedRule[];
    }
  | {
      readonly what: "event";
      readonly event: string;
      readonly id: string | null;
      /** The effect of the event. kept: it is buffered until a state accepts it. */
      readonly fate: "kept" | "ignored" | "dropped";
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
  /** The time of this explanation, in epoch ms. */
  readonly asOf: number;
  readonly ended: ExecutionEnd | null;
  readonly next: PredictedEntry;
  /** Alternatives to `next` that may occur before it. */
  readonly or: readonly PredictedEntry[];
  readonly waits: readonly Wait[];
  readonly notNow: readonly NotNow[];
  readonly notDone: readonly NotDone[];
  /** The numbers of entries that were left out of the lists. */
  readonly leftOut: { readonly waits: number; readonly notNow: number; readonly notDone: number };
};

/** An API request with which a client can change the explained wait. */
export type SuggestedRequest = {
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: JsonObject;
};
/** A fact with a sentence for people (`says`). */
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
