// What an execution answers when it is asked why it stands where it stands: what comes next, what it waits for, and what
// was not done. Instants are numbers; whoever tells people makes sentences of it.
import type { DefinitionRef } from "../definition/definition.ts";
import type { Json, JsonObject, Rule } from "../json.ts";
import type { GateView } from "../gate.ts";
import type { JournalEntry } from "./journal.ts";
import type { Meeting } from "../explanation/meets.ts";
import type { ActionError, Hold } from "./outcome.ts";
import type { QuarantineKind } from "./quarantine.ts";
import type { RunStatus } from "./run.ts";
import type { ExecutionStatus } from "./state.ts";

/** A rule as it was asked just now, with what it looked at. */
export type AskedRule = {
  /** Where it stands: a JSON pointer into the definition, or the field of the run's action. */
  readonly at: string;
  readonly rule: Rule;
  /** null: hangs on an event that is still to come, or cannot be evaluated, and then `fault` says why. */
  readonly result: boolean | null;
  readonly fault?: string;
  /** By path. What is too long for an answer is cut. */
  readonly values: JsonObject;
};

/** What of a journal entry says which it is: its kind, and whom it concerns. */
export type Line = { readonly kind: JournalEntry["kind"]; readonly [field: string]: Json };

/**
 * Who brings it. time: it comes by itself. runner: somebody has it in hand. parent, child, directory, subject, lists: others of
 * the engine, who were told. event, person, tenant: somebody outside, and nothing comes before. retention: its history goes then.
 */
export type Bringer =
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

/** A journal entry that has not been written yet. `kind` is null where none will be. */
export type Foreseen = {
  readonly kind: JournalEntry["kind"] | null;
  /** Whom it concerns, in the entry's own words: `run`, `timer`, `action`, … */
  readonly about: JsonObject;
  readonly by: Bringer;
  /** Exactly then; null where it is somebody's to say. */
  readonly at: number | null;
  /** Not before then, and at the latest then, as far as that is known. */
  readonly earliest: number | null;
  readonly latest: number | null;
  /** How the attempt is taken to end; null where nothing is assumed. */
  readonly assumes: "ok" | "failed" | null;
  /** Of an event: the types that would do. */
  readonly events?: readonly string[];
  /** What the same step writes after it. */
  readonly with: readonly Line[];
  /** How many more lines that would be. */
  readonly more: number;
};

/** An action that observes, and how it is doing; `nextAt` null: it is under way. */
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
        readonly guards: readonly AskedRule[];
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
        readonly conditions: readonly AskedRule[];
      } & Meeting)
    /** A variable that is not there yet. */
    | {
        readonly for: "anchor";
        readonly run: string | null;
        readonly timer: string | null;
        readonly delay: Json;
        /** The rule that says from which date, and what it looks at. */
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
        Meeting)
    | ({
        readonly for: "connection";
        readonly connection: string | null;
        readonly reason: Hold["reason"];
        /** How that is doing now; absent where nobody could be asked. */
        readonly gate?: GateView;
      } & OfRun)
    /** Opening hours; `window` as its node, or whatever that names, has it. */
    | ({ readonly for: "window"; readonly window: Json } & OfRun & Meeting)
    /** So much was sent to its subject lately; null where that is not noted with the run. */
    | ({
        readonly for: "cap";
        readonly cap: string | null;
        readonly subject: string | null;
        readonly max: number | null;
      } & OfRun &
        Meeting)
    | ({ readonly for: "quota" | "queue_share" | "receipt" } & OfRun)
    | {
        readonly for: "event";
        readonly event: string;
        readonly states: readonly string[];
        /** kept: until it is resumed. */
        readonly would: "taken" | "depends" | "refused" | "kept";
        readonly guards: readonly AskedRule[];
        readonly to: readonly string[];
      }
    /** Rules that are looked at whenever anything changes. */
    | { readonly for: "variables"; readonly states: readonly string[]; readonly guards: readonly AskedRule[] }
    | ({ readonly for: "person"; readonly deadLetter: string; readonly error: ActionError | null } & OfRun)
    | ({
        readonly for: "task";
        readonly task: string;
        readonly remindAt: number | null;
        readonly escalateAt: number | null;
      } & OfRun)
    | ({ readonly for: "child"; readonly execution: string; readonly events: readonly string[] } & OfRun)
    /** A person holds it until it is released; then it goes at `dueAt`, or at once where that is past. */
    | ({
        readonly for: "release";
        readonly since: number;
        readonly by: string;
        readonly reason: string | null;
        readonly dueAt: number | null;
      } & OfRun &
        Meeting)
    | {
        readonly for: "resume";
        readonly since: number;
        readonly reason: string | null;
        readonly error: ActionError | null;
      }
    | { readonly for: "tenant" }
    /** It is over but for this child; or over, and this child is still to be canceled. */
    | ({ readonly for: "parting"; readonly how: "awaited" | "canceling"; readonly execution: string | null } & OfRun)
    | { readonly for: "parent"; readonly execution: string }
    | { readonly for: "directory"; readonly key: string | null }
    /** Its subject's object has still to hear of its end. */
    | { readonly for: "subject"; readonly key: string }
    /** A node of a journey to which not enough of the ways have come that lead there. */
    | {
        readonly for: "join";
        readonly node: string;
        readonly needs: number;
        readonly taken: number;
        readonly dead: number;
        readonly from: readonly string[];
      }
    /** What a reconciler sees of its world; `until`: when that is too old to go by. */
    | {
        readonly for: "observation";
        /** 0: nothing was observed yet. */
        readonly revision: number;
        readonly observedAt: number | null;
        /** Rules are not looked at before there is a newer one. */
        readonly isStale: boolean;
        readonly collector: ObservedBy | null;
        /** Why its rules cannot be looked at; null where they can. */
        readonly fault: string | null;
        /** The rules of the state it is in. */
        readonly guards: readonly AskedRule[];
      }
    /** What a reconciler is to bring about. */
    | { readonly for: "desired"; readonly revision: number }
    /** The next look at the rules of a reconciler, since something has changed. */
    | { readonly for: "tick" }
    /** The engine cannot go on with it, and looks again then. */
    | { readonly for: "engine"; readonly kind: QuarantineKind; readonly reason: string; readonly since: number }
  );

/** An event that is listened for elsewhere, and what would become of it now. */
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
      /** Of a failure that the definition took: the event that it took, and where that led. */
      readonly heard: { readonly event: string; readonly state: string } | null;
      /** Set where a person may still send it. */
      readonly deadLetter: string | null;
      /** What was asked before it, as it stood then; as it stands now, where that is too long ago to be at hand. */
      readonly conditions: readonly AskedRule[];
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
  /** A node of a journey; `at` is null where that is too long ago to be at hand. */
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
  /** When this was so. */
  readonly asOf: number;
  readonly ended: Ended | null;
  readonly next: Foreseen;
  /** What may come before it. */
  readonly or: readonly Foreseen[];
  readonly waits: readonly Wait[];
  readonly notNow: readonly NotNow[];
  readonly notDone: readonly NotDone[];
  /** How many of each there were no room for. */
  readonly leftOut: { readonly waits: number; readonly notNow: number; readonly notDone: number };
};

/** Something that a caller may do about it. */
export type Way = {
  readonly verb: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: JsonObject;
};
/** With a plain sentence for people. */
export type Told<T> = T & { readonly says: string };
export type ToldExplanation = Told<Omit<Explanation, "next" | "or" | "waits" | "notNow" | "notDone" | "ended">> & {
  readonly ended: Told<Ended> | null;
  readonly next: Told<Foreseen>;
  readonly or: readonly Told<Foreseen>[];
  readonly waits: readonly (Told<Wait> & { readonly can: readonly Way[] })[];
  readonly notNow: readonly Told<NotNow>[];
  readonly notDone: readonly (Told<NotDone> & { readonly can: readonly Way[] })[];
};

export type ExplainQuery = {
  readonly execution: string;
  /** Its tenant is suspended. */
  readonly suspended: boolean;
};
