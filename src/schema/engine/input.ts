// Inputs: the commands of an execution. The kernel gets time, ids and randomness only from the fields of inputs.
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

/** The actor of an input, for journal and audit log: a key's id, or the engine. */
export type Actor = {
  readonly kind: "key" | "root" | "engine";
  readonly id: string;
  /** The id of the bulk operation that sent the command; absent for a command of a single execution. */
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
  /** The execution that starts this execution; absent if no execution starts it. */
  readonly parent?: Parent;
  /**
   * The latest time, in epoch ms, at which the execution may begin. The caller no longer waits for the answer
   * afterwards.
   */
  readonly notAfter?: number;
  /** Set for a restart: the earlier execution, and where this execution continues it. */
  readonly restart?: Restart;
  /** The execution's subject, as admitted by the subject's object. */
  readonly subject?: Admission;
  /** Set for a standalone action; absent if a tenant's definition is used. */
  readonly standalone?: Standalone;
  /** The trigger that starts the execution; absent if no trigger starts it. */
  readonly startedBy?: StartedBy;
  /** For a reconciler: a merge patch over the definition's desired state. */
  readonly desired?: JsonObject;
  /**
   * For a rehearsal: the event and states that templates and rules read. Default: those of an execution that was just
   * started.
   */
  readonly trigger?: Omit<Trigger, "seq">;
};

type FromOutside = {
  readonly inputId: string;
  /** A digest of the request's body. The same inputId with another digest is refused. */
  readonly fingerprint: string;
  readonly actor: Actor;
  /** True: the engine generated the input's id, so no client can repeat this request. */
  readonly unkeyed?: true;
  /**
   * The command applies only if all of these states or nodes are active. Paths of states, or names of nodes, separated
   * by commas.
   */
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
      /** The handling of running children. Absent: the policy that was set when each child was started. */
      readonly children?: ChildPolicy;
    } & Control)
  /**
   * Sets a reconciler's desired state. `ifRevision`: the revision that must still be current; null: the change applies
   * to any revision.
   */
  | ({
      readonly kind: "desire";
      readonly desired: JsonObject;
      readonly mode: "replace" | "merge";
      readonly ifRevision: number | null;
    } & Control)
  /** Sets a reconciler's observed state. `observedAt`: when the state was observed; null: now. */
  | ({
      readonly kind: "observe";
      readonly observed: JsonObject;
      readonly observedAt: number | null;
      readonly ifRevision: number | null;
    } & FromOutside)
  /** Runs a waiting run or timer now, or starts an action of the definition by its id. */
  | ({ readonly kind: "runNow"; readonly target: RunNowTarget } & Control)
  /** Skips a node, or a run that is not in progress. With `result` the node or run counts as done, with this result. */
  | ({ readonly kind: "skip"; readonly target: NodeOrRun; readonly result?: Json } & Control)
  /** Moves a waiting run or an armed timer to another future instant. */
  | ({ readonly kind: "reschedule"; readonly target: TimerOrRun; readonly at: number } & Control)
  /** Holds a run that is not in progress, until it is released. */
  | ({ readonly kind: "hold"; readonly run: string } & Control)
  | ({ readonly kind: "release"; readonly run: string } & Control)
  /**
   * Ends a wait as if its event had arrived. `as`: the event type, if the wait accepts several. `payload`: the payload
   * of this event.
   */
  | ({ readonly kind: "complete"; readonly target: NodeOrRun; readonly as?: string; readonly payload?: Json } & Control)
  /**
   * Retries a dead letter with its original idempotency key. If the config or variables are changed, the config is
   * rendered again.
   */
  | ({
      readonly kind: "retry";
      readonly run: string;
      /** Merge patches of the action's config and the execution's variables. null: no change. */
      readonly config: JsonObject | null;
      readonly variables: JsonObject | null;
      /** Retries the run although the machine has handled its failure. */
      readonly force?: true;
      /** Allows one attempt only: the retry policy does not restart. */
      readonly once?: true;
      /**
       * Set for an automatic retry after the provider's recovery. `times`: the connection's maximum of retries, which
       * applies to actions without a maximum of their own.
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
      /** The claimant of an attempt from the queue. Absent if the consumer runs a version without this field. */
      readonly by?: NonNullable<Run["claimedBy"]>;
    }
  | { readonly kind: "settle"; readonly run: string; readonly attempt: number; readonly outcome: Outcome }
  /** Fails an attempt whose message is in the dead-letter queue, because it could not be claimed or settled. */
  | { readonly kind: "undeliverable"; readonly run: string; readonly attempt: number; readonly message?: string }
  | { readonly kind: "tick" }
  /** Fails the execution in its last stored state, because the states after it repeatedly could not be stored. */
  | { readonly kind: "fail"; readonly error: ActionError }
  /** Confirms outbox messages. `incarnation`: creation time of the execution that sent them. */
  | { readonly kind: "confirmed"; readonly incarnation: number; readonly items: readonly Confirmation[] }
  /**
   * Sends attempts again whose direct calls were lost with the memory of their object. They use the queue, with the
   * same attempt number and idempotency key.
   */
  | { readonly kind: "orphaned"; readonly runs: readonly string[] };

export type Stamp = {
  readonly now: number;
  /** The number of direct calls that the cell may still start. */
  readonly room: number;
  /** True: the tenant is suspended, so nothing is sent and no timer fires. */
  readonly suspended?: boolean;
};

export type Input = Command & Stamp;
