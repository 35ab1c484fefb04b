// What can happen to an execution. Time, ids and chance come in here and nowhere else.
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

/** Who asked, for the journal and the audit table: a key's id, or the engine itself. */
export type Actor = {
  readonly kind: "key" | "root" | "engine";
  readonly id: string;
  /** The operation over many by which it was asked of this one. */
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
  /** Whoever started it has given up by then: it does not begin any more. */
  readonly notAfter?: number;
  /** The earlier execution that it goes on from, and where. */
  readonly restart?: Restart;
  /** Whom it is about, as that one's object has admitted it. */
  readonly subject?: Admission;
  /** Set where it is an action on its own. */
  readonly standalone?: Standalone;
  /** What somebody outside has set off by: absent where nobody has. */
  readonly startedBy?: StartedBy;
  /** Of a reconciler: merged over what its definition desires. */
  readonly desired?: JsonObject;
  /** What templates and rules shall see of how it came about, where an action is tried out; else it was just started. */
  readonly trigger?: Omit<Trigger, "seq">;
};

type FromOutside = {
  readonly inputId: string;
  /** A digest of the request's body: the same inputId with another body is refused. */
  readonly fingerprint: string;
  readonly actor: Actor;
  /** Set where the caller named no id and no key, so that this request cannot come again. */
  readonly unkeyed?: true;
  /** Only as long as it stands there: paths of states, or nodes, with commas between them; all of them are meant. */
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
      /** What becomes of its children, whatever was said when they were started; absent: what was said. */
      readonly children?: ChildPolicy;
    } & Control)
  /** What a reconciler is to bring about. `ifRevision`: only if nobody has changed it since; null: whatever it was. */
  | ({
      readonly kind: "desire";
      readonly desired: JsonObject;
      readonly mode: "replace" | "merge";
      readonly ifRevision: number | null;
    } & Control)
  /** What a reconciler's world looks like, as of `observedAt`; null: now. */
  | ({
      readonly kind: "observe";
      readonly observed: JsonObject;
      readonly observedAt: number | null;
      readonly ifRevision: number | null;
    } & FromOutside)
  /** Brings a waiting run or timer forward to now, or starts an action by its id. */
  | ({ readonly kind: "runNow"; readonly target: RunNowTarget } & Control)
  /** Passes over a run that nobody has in hand, or a node; with a result, as if it had come to that. */
  | ({ readonly kind: "skip"; readonly target: NodeOrRun; readonly result?: Json } & Control)
  /** Gives a waiting run or an armed timer another instant, ahead of now. */
  | ({ readonly kind: "reschedule"; readonly target: TimerOrRun; readonly at: number } & Control)
  /** Holds one run that nobody has in hand, until it is released. */
  | ({ readonly kind: "hold"; readonly run: string } & Control)
  | ({ readonly kind: "release"; readonly run: string } & Control)
  /** Ends a wait as if what it waits for had come: `as` says which of several, `payload` what it would have said. */
  | ({ readonly kind: "complete"; readonly target: NodeOrRun; readonly as?: string; readonly payload?: Json } & Control)
  /** Sends a dead letter again, under the key it always had; edited, it is rendered anew. */
  | ({
      readonly kind: "retry";
      readonly run: string;
      /** Merge patches over the action's config and the execution's variables; null: the same bytes again. */
      readonly config: JsonObject | null;
      readonly variables: JsonObject | null;
      /** Also where its machine has taken care of the failure. */
      readonly force?: true;
      /** One try and no more: its policy does not begin anew. */
      readonly once?: true;
      /** Nobody asked for this one: its provider is back. `times`: as its connection says, where its action says nothing. */
      readonly heal?: { readonly times: number | null };
    } & Control)
  /** A person has looked at a dead letter and lets it lie. */
  | ({ readonly kind: "archive"; readonly run: string } & Control)
  /** What has ended is let go of before its retention is over. */
  | ({ readonly kind: "erase" } & Control)
  | {
      readonly kind: "claim";
      readonly run: string;
      readonly attempt: number;
      readonly lane: "direct" | "queue";
      /** In the queue lane. Absent where the claimant is older than this. */
      readonly by?: NonNullable<Run["claimedBy"]>;
    }
  | { readonly kind: "settle"; readonly run: string; readonly attempt: number; readonly outcome: Outcome }
  /** The queue gave up on the message of this attempt: nobody could claim or settle it. */
  | { readonly kind: "undeliverable"; readonly run: string; readonly attempt: number; readonly message?: string }
  | { readonly kind: "tick" }
  /** What it made cannot be stored, however often it is tried: it ends here, as it was stored last. */
  | { readonly kind: "fail"; readonly error: ActionError }
  /** Messages of its outbox were received or carried out. `incarnation`: of the execution that sent them. */
  | { readonly kind: "confirmed"; readonly incarnation: number; readonly items: readonly Confirmation[] }
  /** Direct flights that went down with their object: sent again through the queue, same attempt, same key. */
  | { readonly kind: "orphaned"; readonly runs: readonly string[] };

export type Stamp = {
  readonly now: number;
  /** How many more direct flights the cell has room for. */
  readonly room: number;
  /** Its tenant is suspended: nothing goes out, and no timer fires. */
  readonly suspended?: boolean;
};

export type Input = Command & Stamp;
