// The parts of a scenario: a definition, its executions, and the commands of clients meanwhile.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Definition, MachineDefinition } from "#schema/definition/definition.ts";
import type { ChildPolicy } from "#schema/engine/child.ts";
import type { ControlCommand } from "#schema/engine/cell.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Standalone } from "#schema/definition/standalone.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

type Bare<C> = C extends ControlCommand ? Omit<C, "inputId" | "fingerprint" | "actor" | "reason"> : never;
export type Verb =
  | Exclude<Bare<ControlCommand>, { kind: "event" }>
  | { readonly kind: "event"; readonly type: string; readonly payload: Json };

/** The calls of one client to one execution, each after the response to the one before. */
export type Script = {
  readonly execution: string;
  readonly steps: readonly { readonly atMs: number; readonly verb: Verb }[];
};

export type Scenario = {
  readonly definition: Definition;
  /** The executions run this standalone action, with the engine's own definition. */
  readonly standalone?: Standalone;
  readonly starts: readonly { readonly atMs: number; readonly executions: readonly string[] }[];
  /** When each execution is started again under its id, after its retention; one entry per incarnation. */
  readonly again?: readonly number[];
  /** Starts under dedup keys: each by its own client, which tries with a new id until it gets a response. */
  readonly keyed?: readonly { readonly atMs: number; readonly key: string }[];
  /** The parent of each child that it waits for. */
  readonly parents?: { readonly [child: string]: string };
  /** The policy for children when the outermost execution is canceled. */
  readonly family?: ChildPolicy;
  /** Read-only clients read it all the time. */
  readonly isWatched?: boolean;
  readonly variables: JsonObject;
  readonly scripts: readonly Script[];
  /**
   * From that moment these executions cannot be stepped: the head of one is unreadable, the row of the other is
   * refused.
   */
  readonly poison?: { readonly unreadable: string; readonly unwritable: string; readonly atMs: number };
  /** Returns the problem of an ending in a world without other faults, or null. */
  readonly calmly?: (state: ExecutionState) => string | null;
  /** The longest clock jump that this scenario's gaps allow. */
  readonly jumpMsMax: number;
  /**
   * "calm": it must end as it ends without faults. Otherwise the ending depends on the order of events, and the
   * function returns its problem, or null.
   */
  readonly ending: "calm" | ((state: ExecutionState) => string | null);
};

export const BEGIN = Date.UTC(2026, 10, 18, 9);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Enough attempts to outlive every fault. */
const patient = { maxAttempts: 100, baseDelay: SECOND, maxDelay: 30 * SECOND, jitter: true } as const;

/** An action without a window and a cap: one of a machine, or a standalone one. */
type UnlimitedAction = Omit<ActionDefinition, "window" | "cap">;

export function act(actionId: string, triggerState: string, more: Partial<UnlimitedAction> = {}): UnlimitedAction {
  return {
    actionId,
    type: "webhook",
    triggerState,
    config: { say: actionId },
    retryPolicy: patient,
    timeout: 10 * SECOND,
    ...more,
  };
}

export function event(type: string, payload: Json = null): Verb {
  return { kind: "event", type, payload };
}

function one(execution: string, atMs = 0): Scenario["starts"] {
  return [{ atMs, executions: [execution] }];
}

/** For endings that depend on which event was first. */
export function endsAs(...statuses: readonly ExecutionState["status"][]): Scenario["ending"] {
  return ({ status }) => (statuses.includes(status) ? null : `ended as ${status}, expected ${statuses.join(" or ")}`);
}

/** The fields that most scenarios share. */
export const rest = {
  starts: one("exe_sim"),
  variables: {},
  scripts: [],
  jumpMsMax: 3 * HOUR,
  ending: "calm",
} as const;

const said = { did: { var: "message.payload.result.did" } };

/** The simplest definition: three actions, one after the other. */
export const three: MachineDefinition = {
  kind: "machine",
  name: "three",
  initial: "a",
  states: {
    a: { on: { "action.one.ok": { target: "b", assign: said } } },
    b: { on: { "action.two.ok": { target: "c", assign: said } } },
    c: { on: { "action.three.ok": { target: "end", assign: said } } },
    end: { type: "final" },
  },
  actions: [act("one", "a"), act("two", "b", { config: { fails: 2 } }), act("three", "c", { lane: "direct" })],
};
