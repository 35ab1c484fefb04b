// Inputs: what can happen to an execution. Time, ids and randomness enter here and nowhere else.
import type { Admission } from "./about.ts";
import type { ChildPolicy, Parent } from "./child.ts";
import type { DefinitionRef } from "../definition/definition.ts";
import type { Placement } from "../definition/head.ts";
import type { EventMessage } from "./event.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Confirmation } from "./outbox.ts";
import type { ActionError, Outcome } from "./outcome.ts";
import type { Restart } from "../family/restart.ts";
import type { Run } from "./run.ts";
import type { Standalone } from "../definition/standalone.ts";
import type { StartedBy } from "../inbound/started-by.ts";
import type { Trigger } from "./state.ts";

/** The actor, for the journal and the audit table: a key's id, or the engine itself. */
export type Actor = {
  readonly kind: "key" | "root" | "engine";
  readonly id: string;
  /** The bulk operation that sent it. */
  readonly operation?: string;
};

export type StartCommand = {
  readonly kind: "start";
  readonly inputId: string;
  readonly execution: string;
  readonly tenant: string;
  readonly namespace: string;
  readonly definition: DefinitionRef;
  readonly placement: Placement;
  readonly variables: JsonObject;
  readonly correlationId: string | null;
  readonly fingerprint: string;
  readonly actor: Actor;
  /** The execution that starts this one. */
  readonly parent?: Parent;
  /** The caller that starts the execution gives up at this instant: the execution must not begin later. */
  readonly notAfter?: number;
  /** The earlier execution that it continues, and where. */
  readonly restart?: Restart;
  /** The execution's subject, as admitted by the subject's object. */
  readonly subject?: Admission;
  /** Set for a standalone action. */
  readonly standalone?: Standalone;
  /** The trigger that started it; absent without one. */
  readonly startedBy?: StartedBy;
  /** For a reconciler: the engine merges this over the definition's desired state. */
  readonly desired?: JsonObject;
  /** What templates and rules see of its start, when an action is tested; default: just started. */
  readonly trigger?: Omit<Trigger, "seq">;
};

type FromOutside = {
  readonly inputId: string;
  /** A digest of the request's body: the same inputId with another body is refused. */
  readonly fingerprint: string;
  readonly actor: Actor;
  /** Set if the client gave no id and no key, so that this request cannot be repeated. */
  readonly unkeyed?: true;
  /** Only while it is there: paths of states, or nodes, separated by commas; all of them must match. */
  readonly ifState?: string;
};
type Control = FromOutside & { readonly reason: string | null };

export type RunNowTarget = { readonly run: string } | { readonly timer: string } | { readonly action: string };

export type NodeOrRun = { readonly node: string } | { readonly run: string };
export type TimerOrRun = { readonly timer: string } | { readonly run: string };

export type Command =
  | StartCommand
  | ({ readonly kind: "event"; readonly event: EventMessage } & FromOutside)
  | ({ readonly kind: "patch"; readonly variables: JsonObject } & Control)
  | ({ readonly kind: "pause" } & Control)
  | ({ readonly kind: "resume" } & Control)
  | ({
      readonly kind: "cancel";
      /** What happens to its children, overriding their own setting; absent: their own. */
      readonly children?: ChildPolicy;
    } & Control)
  /** A reconciler's desired state. `ifRevision`: only if it is still the current revision; null: any. */
  | ({
      readonly kind: "desire";
      readonly desired: JsonObject;
      readonly mode: "replace" | "merge";
      readonly ifRevision: number | null;
    } & Control)
  /** A reconciler's observed state, as of `observedAt`; null: now. */
  | ({
      readonly kind: "observe";
      readonly observed: JsonObject;
      readonly observedAt: number | null;
      readonly ifRevision: number | null;
    } & FromOutside)
  /** Brings a waiting run or timer forward to now, or starts an action by its id. */
  | ({ readonly kind: "runNow"; readonly target: RunNowTarget } & Control)
  /** Skips a run that is not in progress, or a node; with a result, as if it had succeeded with that. */
  | ({ readonly kind: "skip"; readonly target: NodeOrRun; readonly result?: Json } & Control)
  /** Gives a waiting run or an armed timer another instant, in the future. */
  | ({ readonly kind: "reschedule"; readonly target: TimerOrRun; readonly at: number } & Control)
  /** Holds one run that is not in progress, until it is released. */
  | ({ readonly kind: "hold"; readonly run: string } & Control)
  | ({ readonly kind: "release"; readonly run: string } & Control)
  /** Ends a wait as if its event had arrived: `as` selects one of several, `payload` is its content. */
  | ({ readonly kind: "complete"; readonly target: NodeOrRun; readonly as?: string; readonly payload?: Json } & Control)
  /** Retries a dead letter, under its original key; an edited one is rendered again. */
  | ({
      readonly kind: "retry";
      readonly run: string;
      /** Merge patches over the action's config and the execution's variables; null: the same bytes again. */
      readonly config: JsonObject | null;
      readonly variables: JsonObject | null;
      /** Also if its machine has handled the failure. */
      readonly force?: true;
      /** Allows one attempt only: the retry policy does not restart. */
      readonly once?: true;
      /**
       * An automatic retry after the provider's recovery. `times`: the connection's setting, if its action has none.
       */
      readonly heal?: { readonly times: number | null };
    } & Control)
  /** An operator archives a dead letter. */
  | ({ readonly kind: "archive"; readonly run: string } & Control)
  /** An ended execution is deleted before its retention is over. */
  | ({ readonly kind: "erase" } & Control)
  | {
      readonly kind: "claim";
      readonly run: string;
      readonly attempt: number;
      readonly lane: "direct" | "queue";
      /** The claimant in the queue lane. Absent if the claimant's version is older than this field. */
      readonly by?: NonNullable<Run["claimedBy"]>;
    }
  | { readonly kind: "settle"; readonly run: string; readonly attempt: number; readonly outcome: Outcome }
  /** The queue gave up on the message of this attempt: it could not be claimed or settled. */
  | { readonly kind: "undeliverable"; readonly run: string; readonly attempt: number; readonly message?: string }
  | { readonly kind: "tick" }
  /** The execution's new state cannot be stored, after repeated attempts: the execution fails in its last stored state. */
  | { readonly kind: "fail"; readonly error: ActionError }
  /** Messages of its outbox were received or handled. `incarnation`: of the execution that sent them. */
  | { readonly kind: "confirmed"; readonly incarnation: number; readonly items: readonly Confirmation[] }
  /** Direct calls lost with their object: sent again through the queue, same attempt, same key. */
  | { readonly kind: "orphaned"; readonly runs: readonly string[] };

export type Stamp = {
  readonly now: number;
  /** How many more direct calls the cell has slots for. */
  readonly room: number;
  /** The tenant is suspended: nothing is sent, and no timer fires. */
  readonly suspended?: boolean;
};

export type Input = Command & Stamp;
