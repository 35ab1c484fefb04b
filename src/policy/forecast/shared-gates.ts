// Simulates the limits that executions share in a forecast: the tenant's quotas, the caps of each subject and the gate
// of each connection.
import { chanceOf } from "#kernel/execution/chance.ts";
import type { AttemptDecision } from "#kernel/virtual/fleet.ts";
import type { AttemptInProgress } from "#kernel/virtual/play.ts";
import type { AttemptLimits } from "#kernel/virtual/virtual-run.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { KnownConnection } from "#schema/virtual/forecast.ts";
import type { StartPlaceResult } from "#schema/key-limits/start-place.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { openKeyLimits } from "../gates/by-key/virtual-limits.ts";
import { openStartLimits } from "../gates/by-key/virtual-starts.ts";
import type { TenantPolicy } from "#schema/policies/policy.ts";
import { quietHoursLimit } from "../gates/quiet-hours.ts";
import { openCaps } from "../subject/open-caps.ts";
import { matchConnection, requestedConnection, configOf } from "./requested-connection.ts";
import { openConnectionGates } from "./connection-gates.ts";
import { openTenantGate, type TenantQuotas } from "./tenant-gate.ts";

export type SharedGateSettings = {
  readonly connections: readonly KnownConnection[];
  /** The tenant's quotas; null if they could not be read. */
  readonly quotas: TenantQuotas | null;
  /** The tenant's policies, whose quiet hours are checked first. */
  readonly policies: readonly TenantPolicy[];
  /** How many executions each simulated execution represents. */
  readonly weight: number;
  /**
   * The time in ms between the dispatch of an attempt and its check against the limits, drawn from this range. null if
   * there is none.
   */
  readonly comesLateMs: { readonly min: number; readonly max: number } | null;
};
export type SharedGates = {
  readonly pass: (
    member: number,
    inProgress: AttemptInProgress,
    state: Parameters<AttemptLimits>[1],
  ) => AttemptDecision;
  /** Records the result of an admitted attempt. */
  readonly recordResult: (member: number, inProgress: AttemptInProgress, outcome: Outcome) => void;
  readonly connectionOf: (inProgress: AttemptInProgress) => KnownConnection | null;
  /** Decides about a start with limits. */
  readonly place: (member: number, state: ExecutionState, at: number) => StartPlaceResult;
  /** Records the end of an execution. */
  readonly end: (member: number, state: ExecutionState) => void;
  readonly forget: (member: number) => void;
  readonly counts: () => GateCallCounts;
};
/** The number of calls to each limit, for the cost. */
export type GateCallCounts = {
  readonly acquires: number;
  readonly releases: number;
  /** The number of seconds within which a connection's gate was called. */
  readonly seconds: number;
  /** The attempts that reached a limit. */
  readonly limited: number;
  readonly slots: number;
  /** The calls to objects of limits by key. */
  readonly keyed: number;
};

/**
 * Opens the shared limits. An attempt is checked against the tenant's quiet hours first, then its limits by key, the
 * tenant's quotas, the cap and the connection's gate.
 */
export function openSharedGates(settings: SharedGateSettings): SharedGates {
  const { connections, quotas, policies, weight, comesLateMs } = settings;
  const quiet = quietHoursLimit(policies);
  const gates = openConnectionGates(weight);
  const tenant = openTenantGate(quotas, weight);
  const caps = new Map<number, AttemptLimits>();
  const keys = openKeyLimits();
  const starts = openStartLimits();
  const arrivals = openDelayedArrivals(comesLateMs);
  let [limited, slots] = [0, 0];

  const connectionOf = ({ run }: AttemptInProgress): KnownConnection | null => {
    const account = requestedConnection(run.type, configOf(run));
    return account === null ? null : matchConnection(connections, account);
  };
  const passCap = (
    member: number,
    inProgress: AttemptInProgress,
    state: Parameters<AttemptLimits>[1],
  ): ReturnType<AttemptLimits> => {
    if (inProgress.run.cap === undefined) return null;
    const gate = caps.get(member) ?? openCaps();
    caps.set(member, gate);
    slots += 1;
    return gate(inProgress, state);
  };
  /** Releases the limits by key of an attempt that a later limit has not admitted. */
  const withoutKeys = <Refused>(member: number, inProgress: AttemptInProgress, refused: Refused): Refused => {
    keys.end(member, inProgress, inProgress.at, false);
    return refused;
  };

  return {
    connectionOf,
    pass: (member, inProgress, state) => {
      const delayMs = arrivals.delayOf(member, inProgress);
      if (delayMs > 0) return { waitsUntil: inProgress.at + delayMs };
      const connection = connectionOf(inProgress);
      const key = keyOf(member, inProgress);
      if (!gates.isWaiting(key)) {
        const held = quiet(inProgress, state) ?? keys.pass(member, inProgress);
        if (held !== null) return held;
        limited += 1;
        const refused = tenant.pass(inProgress.at) ?? passCap(member, inProgress, state);
        if (refused !== null) return withoutKeys(member, inProgress, refused);
      }
      const decided = connection === null ? null : gates.pass(key, connection, inProgress);
      return decided === null || "waitsUntil" in decided ? decided : withoutKeys(member, inProgress, decided);
    },
    recordResult: (member, inProgress, outcome) => {
      tenant.start(outcome.endedAt);
      keys.end(member, inProgress, outcome.endedAt, true);
      const connection = connectionOf(inProgress);
      if (connection !== null) gates.recordResult(keyOf(member, inProgress), connection, inProgress.at, outcome);
    },
    place: starts.place,
    end: starts.end,
    forget: (member) => {
      caps.delete(member);
      arrivals.forget(member);
    },
    counts: () => ({
      ...gates.counts(),
      limited: limited * weight,
      slots: slots * weight,
      keyed: (keys.calls() + starts.calls()) * weight,
    }),
  };
}

/** The time in ms until an attempt is checked against the limits. It is drawn again each time the attempt returns. */
function openDelayedArrivals(comesLateMs: SharedGateSettings["comesLateMs"]) {
  const delayed = new Map<number, string>();
  return {
    delayOf: (member: number, { run, attempt, at }: AttemptInProgress): number => {
      const arrival = `${run.id} ${attempt} ${run.held?.until ?? run.dueAt}`;
      if (comesLateMs === null || delayed.get(member) === arrival) return 0;
      delayed.set(member, arrival);
      const { min, max } = comesLateMs;
      return Math.round(min + (max - min) * chanceOf(`${member} ${arrival} ${at}`));
    },
    forget: (member: number): void => void delayed.delete(member),
  };
}

/** Returns the key of an attempt in the gates. */
function keyOf(member: number, { run, attempt }: AttemptInProgress): string {
  return `${member}/${run.id}/${attempt}`;
}
