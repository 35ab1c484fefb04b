// The plan of a reconciler: its durations in milliseconds, its settings with defaults, and whether the rules of each
// state read the time.
import { TIMEOUT_MS_MAX } from "#schema/limits/run-attempts.ts";
import {
  millisecondsOf,
  type ReconcilerDefinition,
  type ReconcilerRule,
  type ReconcilerState,
} from "#schema/definition/reconciler.ts";
import { reconcilerDefaults } from "#schema/definition/reconciler-defaults.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import { assert } from "../../assert.ts";
import type { Collector } from "../../execution/program.ts";
import { withLimits } from "../named-limits.ts";
import { readsTime } from "./reads-time.ts";

export type Shutdown = { readonly target: string; readonly cancelsAction: boolean; readonly reason: string | null };

export type PlannedState = {
  readonly name: string;
  readonly state: ReconcilerState;
  readonly rules: readonly ReconcilerRule[];
  /** True if a rule of the state may cancel an action in progress. */
  readonly interrupts: boolean;
  /** True if rules of the state read the time. A tick may then give another result although no input has changed. */
  readonly readsTime: boolean;
};

export type Plan = {
  readonly definition: ReconcilerDefinition;
  readonly tickMs: number;
  readonly staleAfterMs: number | null;
  /**
   * Whether rules wait after an action has ended. They then wait for an observation that was started after the action's
   * end.
   */
  readonly observesAfter: boolean;
  readonly aliasesAction: boolean;
  readonly shutdown: Shutdown | null;
  readonly collector: Collector | null;
  readonly states: ReadonlyMap<string, PlannedState>;
  readonly actions: ReadonlyMap<string, ProgramAction>;
};

const plans = new WeakMap<ReconcilerDefinition, Plan>();

export function planOf(definition: ReconcilerDefinition): Plan {
  const plan = plans.get(definition) ?? planFor(definition);
  plans.set(definition, plan);
  return plan;
}

export function plannedStateOf({ states }: Plan, name: string): PlannedState {
  const placed = states.get(name);
  assert(
    placed,
    `the state ${name} must be in the definition, because verify refuses definitions that name other states`,
  );
  return placed;
}

/** Another name of `action`, which the action executor pattern uses. */
const ACTION_STATUS_ALIAS = "observed.actionStatus";

function planFor(definition: ReconcilerDefinition): Plan {
  const { tick = reconcilerDefaults.tickMs, afterAction, states, onShutdown } = definition;
  const collector = collectorIn(definition);
  return {
    definition,
    tickMs: millisecondsOf(tick),
    staleAfterMs: staleAfterIn(definition, collector),
    observesAfter: (afterAction ?? (collector === null ? "decide" : "observe")) === "observe",
    aliasesAction: JSON.stringify(definition).includes(ACTION_STATUS_ALIAS),
    shutdown: onShutdown === undefined ? null : shutdownOf(onShutdown),
    collector,
    states: new Map(Object.entries(states).map(([name, state]) => [name, plannedState(name, state)])),
    actions: actionsIn(definition),
  };
}

function plannedState(name: string, state: ReconcilerState): PlannedState {
  const { rules = [] } = state;
  const interrupts = rules.some(({ cancelAction = false }) => cancelAction);
  return { name, state, rules, interrupts, readsTime: rules.some(readsTime) };
}

function shutdownOf(said: NonNullable<ReconcilerDefinition["onShutdown"]>): Shutdown {
  if (typeof said === "string") return { target: said, cancelsAction: false, reason: null };
  const { target, cancelAction = false, reason = null } = said;
  return { target, cancelsAction: cancelAction, reason };
}

function collectorIn({ collector }: ReconcilerDefinition): Collector | null {
  if (collector === undefined) return null;
  const { action, every, backoff = {}, observed: observationRule = null } = collector;
  const { baseMs, multiplier, maxMs } = reconcilerDefaults.backoff;
  return {
    action,
    everyMs: millisecondsOf(every),
    backoff: {
      baseMs: backoff.baseDelay === undefined ? baseMs : millisecondsOf(backoff.baseDelay),
      multiplier: backoff.multiplier ?? multiplier,
      maxMs: backoff.maxDelay === undefined ? maxMs : millisecondsOf(backoff.maxDelay),
    },
    observationRule: observationRule,
  };
}

/**
 * The age from which rules ignore an observation; null if there is no such age. The default age exceeds the interval of
 * the collector. A single late or failed observation therefore does not stop the rules.
 */
function staleAfterIn(definition: ReconcilerDefinition, collector: Collector | null): number | null {
  const said = definition.collector?.staleAfter ?? definition.staleAfter;
  if (said !== undefined) return millisecondsOf(said);
  if (collector === null) return null;
  return 3 * collector.everyMs + Number(actionsIn(definition).get(collector.action)?.timeout ?? 0);
}

/** The actions with the defaults of reconcilers, which do not depend on the action's type. */
function actionsIn(definition: ReconcilerDefinition): ReadonlyMap<string, ProgramAction> {
  const { actions = [], collector } = definition;
  const { timeoutMs, retryPolicy } = reconcilerDefaults;
  const collectorMs = collector?.timeout === undefined ? undefined : millisecondsOf(collector.timeout);
  return new Map(
    actions.map((action) => {
      const own = action.actionId === collector?.action ? (collectorMs ?? action.timeout) : action.timeout;
      const timeout = Math.min(own ?? timeoutMs, TIMEOUT_MS_MAX);
      return [
        action.actionId,
        { ...withLimits(definition, action), timeout, retryPolicy: action.retryPolicy ?? retryPolicy },
      ];
    }),
  );
}
