// Simulates the limits that executions share in a forecast: the tenant's quotas, each subject's caps and each
// connection's gate.
import { chanceOf } from "#kernel/execution/chance.ts";
import type { AttemptDecision } from "#kernel/virtual/fleet.ts";
import type { AttemptInProgress } from "#kernel/virtual/play.ts";
import type { Gate } from "#kernel/virtual/virtual-run.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { KnownConnection } from "#schema/virtual/forecast.ts";
import { openCaps } from "../subject/open-caps.ts";
import { matchConnection, requestedConnection, configOf } from "./requested-connection.ts";
import { openConnectionGates } from "./connection-gates.ts";
import { openTenantGate, type TenantQuotas } from "./tenant-gate.ts";

export type SharedGateSettings = {
  readonly connections: readonly KnownConnection[];
  /** The tenant's quotas; null if unknown. */
  readonly quotas: TenantQuotas | null;
  /** How many executions each simulated one represents. */
  readonly weight: number;
  /** The delay (ms) before an attempt reaches the limits; null if there is none. */
  readonly comesLateMs: { readonly min: number; readonly max: number } | null;
};
export type SharedGates = {
  readonly pass: (member: number, asked: AttemptInProgress, state: Parameters<Gate>[1]) => AttemptDecision;
  /** Records the result of an admitted attempt. */
  readonly recordResult: (member: number, asked: AttemptInProgress, outcome: Outcome) => void;
  readonly connectionOf: (asked: AttemptInProgress) => KnownConnection | null;
  readonly forget: (member: number) => void;
  readonly counts: () => GateCallCounts;
};
/** The number of calls to each limit, for the cost. */
export type GateCallCounts = {
  readonly asks: number;
  readonly releases: number;
  /** The seconds in which a connection's gate was called. */
  readonly seconds: number;
  /** The attempts that reached a limit. */
  readonly carried: number;
  readonly slots: number;
};

export function openSharedGates({ connections, quotas, weight, comesLateMs }: SharedGateSettings): SharedGates {
  const gates = openConnectionGates(weight);
  const tenant = openTenantGate(quotas, weight);
  const caps = new Map<number, Gate>();
  const onItsWay = new Map<number, string>();
  let [carried, slots] = [0, 0];

  const connectionOf = ({ run }: AttemptInProgress): KnownConnection | null => {
    const account = requestedConnection(run.type, configOf(run));
    return account === null ? null : matchConnection(connections, account);
  };
  const throughCap = (member: number, asked: AttemptInProgress, state: Parameters<Gate>[1]): ReturnType<Gate> => {
    if (asked.run.cap === undefined) return null;
    const gate = caps.get(member) ?? openCaps();
    caps.set(member, gate);
    slots += 1;
    return gate(asked, state);
  };
  /** Returns the delay before the attempt reaches the limits. It is drawn again for each arrival. */
  const lateBy = (member: number, { run, attempt, at }: AttemptInProgress): number => {
    const coming = `${run.id} ${attempt} ${run.held?.until ?? run.dueAt}`;
    if (comesLateMs === null || onItsWay.get(member) === coming) return 0;
    onItsWay.set(member, coming);
    const { min, max } = comesLateMs;
    return Math.round(min + (max - min) * chanceOf(`${member} ${coming} ${at}`));
  };

  return {
    connectionOf,
    pass: (member, asked, state) => {
      const late = lateBy(member, asked);
      if (late > 0) return { waitsUntil: asked.at + late };
      const connection = connectionOf(asked);
      const key = keyOf(member, asked);
      if (!gates.isWaiting(key)) {
        carried += 1;
        const held = tenant.pass(asked.at) ?? throughCap(member, asked, state);
        if (held !== null) return held;
      }
      return connection === null ? null : gates.pass(key, connection, asked);
    },
    recordResult: (member, asked, outcome) => {
      tenant.flies(outcome.endedAt);
      const connection = connectionOf(asked);
      if (connection !== null) gates.came(keyOf(member, asked), connection, asked.at, outcome);
    },
    forget: (member) => {
      caps.delete(member);
      onItsWay.delete(member);
    },
    counts: () => ({ ...gates.told(), carried: carried * weight, slots: slots * weight }),
  };
}

function keyOf(member: number, { run, attempt }: AttemptInProgress): string {
  return `${member}/${run.id}/${attempt}`;
}
