// Inputs: what an execution receives. The kernel gets time, ids and randomness only from the fields of inputs.
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

/** Who caused an input, for the journal and the audit log: a key's id, or the engine. */
export type Actor = {
  readonly kind: "key" | "root" | "engine";
  readonly id: string;
  /** The person who uses the key, as set when the key was created. Absent if the key belongs to no person. */
  readonly person?: string;
  /** The id of the bulk operation that sent the command. Absent if no operation sent it. */
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
  /** The execution that starts this execution. Absent if no execution does. */
  readonly parent?: Parent;
  /**
   * The latest time, in epoch ms, at which the execution may begin. Afterwards the caller no longer waits for the
   * answer.
   */
  readonly notAfter?: number;
  /** Only for a restart: the earlier execution, and where this execution continues it. */
  readonly restart?: Restart;
  /** The subject of the execution, with the admission by the subject's object. */
  readonly subject?: Admission;
  /** Set for a standalone action. Absent if the execution uses a tenant's definition. */
  readonly standalone?: Standalone;
  /** The trigger that starts the execution. Absent if no trigger does. */
  readonly startedBy?: StartedBy;
  /** Only for a reconciler: a JSON merge patch of the definition's desired state. */
  readonly desired?: JsonObject;
  /**
   * Only for a rehearsal: the event and the states that templates and rules read. Default: those of an execution that
   * has just started.
   */
  readonly trigger?: Omit<Trigger, "seq">;
};

type FromOutside = {
  readonly inputId: string;
  /** A digest of the request's body. An input with the same inputId and another digest is refused. */
  readonly fingerprint: string;
  readonly actor: Actor;
  /** True: the engine generated the input's id, so no client can repeat the input. */
  readonly unkeyed?: true;
  /** The command applies only if all of these are active: paths of states or names of nodes, separated by commas. */
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
      /**
       * The handling of running children. Absent: each child's own policy applies, which was set when it was started.
       */
      readonly children?: ChildPolicy;
    } & Control)
  /**
   * Sets a reconciler's desired state. `ifRevision`: the revision that must still be the current one. Null: any
   * revision.
   */
  | ({
      readonly kind: "desire";
      readonly desired: JsonObject;
      readonly mode: "replace" | "merge";
      readonly ifRevision: number | null;
    } & Control)
  /** Sets a reconciler's observed state. `observedAt`: when it was observed. Null: now. */
  | ({
      readonly kind: "observe";
      readonly observed: JsonObject;
      readonly observedAt: number | null;
      readonly ifRevision: number | null;
    } & FromOutside)
  /** Runs a waiting run or timer now, or starts the action with this id. */
  | ({ readonly kind: "runNow"; readonly target: RunNowTarget } & Control)
  /**
   * Skips a node, or a run that is not in progress. If `result` is set, the node or run counts as done with this
   * result.
   */
  | ({ readonly kind: "skip"; readonly target: NodeOrRun; readonly result?: Json } & Control)
  /**
   * Gives up an action that has not ended. A call in flight is aborted. Null: the only action that has not ended. If
   * `result` is set, the run counts as done with this result.
   */
  | ({
      readonly kind: "cancelAction";
      readonly target: { readonly run: string } | { readonly action: string } | null;
      readonly result?: Json;
    } & Control)
  /** Moves a waiting run or an armed timer to another instant in the future. */
  | ({ readonly kind: "reschedule"; readonly target: TimerOrRun; readonly at: number } & Control)
  /** Holds a run that is not in progress until an operator releases it. */
  | ({ readonly kind: "hold"; readonly run: string } & Control)
  | ({ readonly kind: "release"; readonly run: string } & Control)
  /**
   * Ends a wait as if its event had arrived. `as`: the event's type, if the wait accepts several types. `payload`: the
   * event's payload.
   */
  | ({ readonly kind: "complete"; readonly target: NodeOrRun; readonly as?: string; readonly payload?: Json } & Control)
  /**
   * Retries a dead letter under its original idempotency key. If the request changes the config or variables, the
   * config is rendered again.
   */
  | ({
      readonly kind: "retry";
      readonly run: string;
      /** A JSON merge patch of the action's config. `variables`: one of the execution's variables. Null: no change. */
      readonly config: JsonObject | null;
      readonly variables: JsonObject | null;
      /** True: retry the run although the machine has already handled its failure. */
      readonly force?: true;
      /** True: make one attempt only. The attempts of the retry policy do not start again. */
      readonly once?: true;
      /**
       * Only for an automatic retry after the provider's recovery. `times`: the connection's maximum number of retries.
       * It applies to actions that set no maximum themselves.
       */
      readonly heal?: { readonly times: number | null };
    } & Control)
  /** Archives a dead letter. */
  | ({ readonly kind: "archive"; readonly run: string } & Control)
  /** Deletes an ended execution before its retention is over. */
  | ({ readonly kind: "erase" } & Control)
  | {
      readonly kind: "claim";
      readonly run: string;
      readonly attempt: number;
      readonly lane: "direct" | "queue";
      /**
       * The consumer that claims an attempt from the queue. Absent if the consumer runs a version without this field.
       */
      readonly by?: NonNullable<Run["claimedBy"]>;
    }
  | { readonly kind: "settle"; readonly run: string; readonly attempt: number; readonly outcome: Outcome }
  /** Fails an attempt that could not be claimed or settled, so that its message ended in the dead-letter queue. */
  | { readonly kind: "undeliverable"; readonly run: string; readonly attempt: number; readonly message?: string }
  /**
   * A limit by key has a free slot for a run that waits for it. `limit`: the limit's name. `at`: when the run may start,
   * in epoch ms.
   */
  | { readonly kind: "wakeRun"; readonly run: string; readonly limit: string; readonly at: number }
  | { readonly kind: "tick" }
  /** Fails the execution in its last stored state. Later states could repeatedly not be stored. */
  | { readonly kind: "fail"; readonly error: ActionError }
  /** Confirms outbox messages. `incarnation`: the creation time of the execution that sent them. */
  | { readonly kind: "confirmed"; readonly incarnation: number; readonly items: readonly Confirmation[] }
  /**
   * Sends attempts again. The object has lost the memory in which it called their runners directly. They now use the
   * queue, with the same attempt number and idempotency key.
   */
  | { readonly kind: "orphaned"; readonly runs: readonly string[] };

export type Stamp = {
  readonly now: number;
  /** How many direct calls the cell may still start at this time. */
  readonly room: number;
  /** True: the tenant is suspended. Nothing is sent, and no timer fires. */
  readonly suspended?: boolean;
};

export type Input = Command & Stamp;
