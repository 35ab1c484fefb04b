// What a scenario is: a definition, the executions that run it, and what people do to them meanwhile.
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

/** One person's or program's calls to one execution, each after the one before was answered. */
export type Script = {
  readonly execution: string;
  readonly steps: readonly { readonly atMs: number; readonly verb: Verb }[];
};

export type Scenario = {
  readonly definition: Definition;
  /** Its executions are this action alone, and the definition is the engine's own. */
  readonly standalone?: Standalone;
  readonly starts: readonly { readonly atMs: number; readonly executions: readonly string[] }[];
  /** When each of them is started again under its id, once its retention is over: how often it lives. */
  readonly again?: readonly number[];
  /** Starts under dedup keys: each a client of its own, who tries with a new id until it is answered. */
  readonly keyed?: readonly { readonly atMs: number; readonly key: string }[];
  /** Who waits for whose end: the parent, by the child. */
  readonly parents?: { readonly [child: string]: string };
  /** What becomes of children when the outermost of them is canceled. */
  readonly family?: ChildPolicy;
  /** Onlookers read it all the time. */
  readonly isWatched?: boolean;
  readonly variables: JsonObject;
  readonly scripts: readonly Script[];
  /** From that moment on nobody can go on with these: the head of one cannot be read, the row of the other is refused. */
  readonly poison?: { readonly unreadable: string; readonly unwritable: string; readonly atMs: number };
  /** What is wrong with an ending where nothing else went wrong, or null. */
  readonly calmly?: (state: ExecutionState) => string | null;
  /** Longest jump of the clock this scenario's gaps allow for. */
  readonly jumpMsMax: number;
  /**
   * "calm": it must end as it ends without faults. Otherwise the order of things decides, and this says what is wrong
   * with an ending, or null.
   */
  readonly ending: "calm" | ((state: ExecutionState) => string | null);
};

export const BEGIN = Date.UTC(2026, 10, 18, 9);
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Enough attempts to outlive every fault. */
const patient = { maxAttempts: 100, baseDelay: SECOND, maxDelay: 30 * SECOND, jitter: true } as const;

export function act(actionId: string, triggerState: string, more: Partial<ActionDefinition> = {}): ActionDefinition {
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

/** For endings that hang on who was first. */
export function endsAs(...statuses: readonly ExecutionState["status"][]): Scenario["ending"] {
  return ({ status }) => (statuses.includes(status) ? null : `ended as ${status}, expected ${statuses.join(" or ")}`);
}

/** What most scenarios have in common. */
export const rest = {
  starts: one("exe_sim"),
  variables: {},
  scripts: [],
  jumpMsMax: 3 * HOUR,
  ending: "calm",
} as const;

const said = { did: { var: "message.payload.result.did" } };

/** The plainest of all: three actions, one after the other. */
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
