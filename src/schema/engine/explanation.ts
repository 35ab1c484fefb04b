// Explanations: why an execution is in its state: what comes next, what it waits for, and what was not done. Instants
// are numbers; the presentation makes sentences.
import type { DefinitionRef } from "../definition/definition.ts";
import type { Json, JsonObject, Rule } from "../json.ts";
import type { GateView } from "../gate.ts";
import type { JournalEntry } from "./journal.ts";
import type { RunPreconditions } from "../explanation/pending-limits.ts";
import type { ActionError, Hold } from "./outcome.ts";
import type { QuarantineKind } from "./quarantine.ts";
import type { RunStatus } from "./run.ts";
import type { ExecutionStatus } from "./state.ts";

/** A rule's current result, with the values it read. */
export type EvaluatedRule = {
  /** The rule's place: a JSON pointer into the definition, or the field of the run's action. */
  readonly at: string;
  readonly rule: Rule;
  /** null: depends on a future event, or cannot be evaluated, and then `fault` has the reason. */
  readonly result: boolean | null;
  readonly fault?: string;
  /** The values that the rule read, by path. Values too long for an answer are cut. */
  readonly values: JsonObject;
};

/** The identifying part of a journal entry: its kind, and its subject. */
export type Line = { readonly kind: JournalEntry["kind"]; readonly [field: string]: Json };

/**
 * The cause. time: a timer. runner: a run in progress. parent, child, directory, subject, lists: other parts of the
 * engine, after a message. event, person, tenant: an outside action, without which nothing happens. retention: its
 * history is deleted.
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

/** A predicted journal entry. `kind` is null if there will be none. */
export type PredictedEntry = {
  readonly kind: JournalEntry["kind"] | null;
  /** What it is about, in the entry's own fields: `run`, `timer`, `action`, … */
  readonly about: JsonObject;
  readonly by: Cause;
  /** The exact time; null if it depends on an outside action. */
  readonly at: number | null;
  /** The earliest and latest time, as far as known. */
  readonly earliest: number | null;
  readonly latest: number | null;
  /** The assumed end of the attempt; null without an assumption. */
  readonly assumes: "ok" | "failed" | null;
  /** The accepted types of events. */
  readonly events?: readonly string[];
  /** Further entries of the same step. */
  readonly with: readonly Line[];
  /** How many more entries there would be. */
  readonly more: number;
};

/** The collector and its state; `nextAt` null: it is in progress. */
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
        /** Skipped, if its turn comes later than this. */
        readonly expiresAt: number | null;
        readonly conditions: readonly EvaluatedRule[];
      } & RunPreconditions)
    /** A variable that is not set yet. */
    | {
        readonly for: "anchor";
        readonly run: string | null;
        readonly timer: string | null;
        readonly delay: Json;
        /** The rule for the date, and the values it reads. */
        readonly anchor: Rule;
        readonly values: JsonObject;
      }
    | ({
        readonly for: "slot";
        readonly concurrency: number;
        readonly takenBy: readonly string[];
        /** How many wait before it. */
        readonly ahead: number;
      } & OfRun &
        RunPreconditions)
    | ({
        readonly for: "connection";
        readonly connection: string | null;
        readonly reason: Hold["reason"];
        /** The connection's current state; absent if its gate did not answer. */
        readonly gate?: GateView;
      } & OfRun)
    /** A time window; `window` as in its node, or in the named one. */
    | ({ readonly for: "window"; readonly window: Json } & OfRun & RunPreconditions)
    /** Recent sends to its subject; null if not recorded with the run. */
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
        /** kept: until it is resumed. */
        readonly would: "taken" | "depends" | "refused" | "kept";
        readonly guards: readonly EvaluatedRule[];
        readonly to: readonly string[];
      }
    /** Rules that are evaluated whenever a variable changes. */
    | { readonly for: "variables"; readonly states: readonly string[]; readonly guards: readonly EvaluatedRule[] }
    | ({ readonly for: "person"; readonly deadLetter: string; readonly error: ActionError | null } & OfRun)
    | ({
        readonly for: "task";
        readonly task: string;
        readonly remindAt: number | null;
        readonly escalateAt: number | null;
      } & OfRun)
    | ({ readonly for: "child"; readonly execution: string; readonly events: readonly string[] } & OfRun)
    /** An operator holds it until it is released; then it goes at `dueAt`, or at once if that has passed. */
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
    /** The execution has ended except for this child; or it has ended, and this child is still to be canceled. */
    | ({ readonly for: "parting"; readonly how: "awaited" | "canceling"; readonly execution: string | null } & OfRun)
    | { readonly for: "parent"; readonly execution: string }
    | { readonly for: "directory"; readonly key: string | null }
    /** The subject's object is not notified of the execution's end yet. */
    | { readonly for: "subject"; readonly key: string }
    /** A node of a journey that too few of its incoming edges have reached. */
    | {
        readonly for: "join";
        readonly node: string;
        readonly needs: number;
        readonly taken: number;
        readonly dead: number;
        readonly from: readonly string[];
      }
    /** What a reconciler observed; `until`: when that becomes stale. */
    | {
        readonly for: "observation";
        /** 0: nothing was observed yet. */
        readonly revision: number;
        readonly observedAt: number | null;
        /** Rules are not evaluated before a newer observation. */
        readonly isStale: boolean;
        readonly collector: ObservedBy | null;
        /** Why its rules cannot be evaluated; null if they can. */
        readonly fault: string | null;
        /** The rules of its current state. */
        readonly guards: readonly EvaluatedRule[];
      }
    /** A reconciler's desired state. */
    | { readonly for: "desired"; readonly revision: number }
    /** The next evaluation of a reconciler's rules, because something has changed. */
    | { readonly for: "tick" }
    /** The engine cannot step it, and retries at that time. */
    | { readonly for: "engine"; readonly kind: QuarantineKind; readonly reason: string; readonly since: number }
  );

/** An event that another state accepts, and what would happen to it now. */
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
      /** For a failure that the definition handled: the event, and the resulting state. */
      readonly heard: { readonly event: string; readonly state: string } | null;
      /** Set if an operator may still retry it. */
      readonly deadLetter: string | null;
      /** The conditions evaluated before it, as of then; as of now, if the journal no longer has them. */
      readonly conditions: readonly EvaluatedRule[];
    }
  | {
      readonly what: "event";
      readonly event: string;
      readonly id: string | null;
      /** kept: it waits for its time. */
      readonly fate: "kept" | "ignored" | "dropped";
      readonly reason: string;
      readonly at: number | null;
    }
  | { readonly what: "timer"; readonly timer: string; readonly reason: string; readonly at: number }
  /** A node of a journey; `at` is null if the journal no longer has it. */
  | { readonly what: "node"; readonly node: string; readonly reason: string; readonly at: number | null };

export type Ended = {
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
  /** The time of this explanation. */
  readonly asOf: number;
  readonly ended: Ended | null;
  readonly next: PredictedEntry;
  /** What may come before it. */
  readonly or: readonly PredictedEntry[];
  readonly waits: readonly Wait[];
  readonly notNow: readonly NotNow[];
  readonly notDone: readonly NotDone[];
  /** How many of each were left out. */
  readonly leftOut: { readonly waits: number; readonly notNow: number; readonly notDone: number };
};

/** A request that a client may send about it. */
export type Way = {
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: JsonObject;
};
/** Adds a plain sentence for people. */
export type WithSummary<T> = T & { readonly says: string };
export type SummarizedExplanation = WithSummary<
  Omit<Explanation, "next" | "or" | "waits" | "notNow" | "notDone" | "ended">
> & {
  readonly ended: WithSummary<Ended> | null;
  readonly next: WithSummary<PredictedEntry>;
  readonly or: readonly WithSummary<PredictedEntry>[];
  readonly waits: readonly (WithSummary<Wait> & { readonly can: readonly Way[] })[];
  readonly notNow: readonly WithSummary<NotNow>[];
  readonly notDone: readonly (WithSummary<NotDone> & { readonly can: readonly Way[] })[];
};

export type ExplainQuery = {
  readonly execution: string;
  /** The execution's tenant is suspended. */
  readonly suspended: boolean;
};
