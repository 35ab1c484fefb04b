// What a turn has drafted is stored, and what was stored goes out. Whoever brought what could not be stored is told so.
import type { Alarm } from "../alarm.ts";
import { openDrafts, purges, type Draft } from "../drafts.ts";
import type { Flights } from "../flights.ts";
import { attempted } from "../intake.ts";
import { sendOut } from "../outbox.ts";
import { projectionOf, type PendingProjections } from "../projections/pending-projections.ts";
import type { Ports } from "../ports.ts";
import type { Heads } from "./heads.ts";
import { errorOf, storeOneByOne, type Stored, type Unstored } from "./one-by-one.ts";

type Parts = {
  readonly ports: Ports;
  readonly heads: Heads;
  readonly alarm: Alarm;
  readonly pending: PendingProjections;
  readonly flights: Pick<Flights, "fly" | "callOff">;
  readonly projectSoon: () => void;
};

export type Storing = {
  /** Says of which executions nothing was stored. */
  readonly store: (drafts: readonly Draft[], now: number) => Stored["failed"];
  /** Something else, all or nothing, and the alarm with it. */
  readonly armed: (work: () => void) => void;
};

export function openStoring({ ports, heads, alarm, pending, flights, projectSoon }: Parts): Storing {
  /** A commit that fails takes its arming back with it. */
  const orDisarmed = (work: () => void): void => {
    const armedAt = alarm.armedAt();
    try {
      work();
    } catch (fault) {
      alarm.noteArmed(armedAt);
      throw fault;
    }
  };

  const commit = (drafts: readonly Draft[], now: number): void =>
    orDisarmed(() => heads.commit(drafts, now, () => alarm.arm(drafts.some((draft) => projectionOf(draft).isDue))));

  /** What is committed is sent, whatever its listeners come to. */
  const publish: Ports["publish"] = (execution, entries, isGone) => {
    try {
      ports.publish(execution, entries, isGone);
    } catch (fault) {
      ports.log({ level: "error", event: "entries_not_published", execution, message: String(fault) });
    }
  };

  const goOut = (drafts: readonly Draft[]): void => {
    const projections = drafts.map(projectionOf);
    for (const { isDue, state, audit } of projections) if (isDue) pending.add(state, audit);
    for (const { state, entries, effects } of drafts) publish(state.id, entries, purges(effects));
    sendOut(ports, drafts);
    for (const ticket of drafts.flatMap(({ tickets }) => tickets)) flights.fly(ticket);
    for (const { state, effects } of drafts) {
      for (const effect of effects) {
        if (effect.kind === "abort") flights.callOff(state.id, effect.run, effect.attempt);
      }
    }
    if (pending.areLeft() || drafts.some(isAfterItsEnd)) projectSoon();
  };

  const storeAll = (drafts: readonly Draft[], now: number): Stored["failed"] => {
    if (drafts.length === 0) return new Map();
    const { stored, failed } = storeOneByOne(drafts, (some) => commit(some, now));
    goOut(stored);
    return failed;
  };

  /** The store takes others, and not what this one makes: in the end it fails, for all to see. */
  const blame = (execution: string, fault: Unstored, now: number): void => {
    const quarantined = heads.quarantine.put(execution, "unwritable", fault);
    const error = quarantined && errorOf(quarantined, fault);
    if (!error) return;
    const drafts = openDrafts(ports, heads, 0, now);
    const failing = attempted(() => drafts.apply(execution, { kind: "fail", error }, false));
    if (!("fault" in failing)) storeAll(drafts.all(), now);
  };

  return {
    store: (drafts, now) => {
      const failed = storeAll(drafts, now);
      for (const [execution, fault] of failed) blame(execution, fault, now);
      return failed;
    },
    armed: (work) =>
      orDisarmed(() =>
        ports.storage.atomically(() => {
          work();
          alarm.arm(false);
        }),
      ),
  };
}

/** Most often lists are told nothing of it; but the alarm can then be moved to where it is needed next. */
function isAfterItsEnd({ state }: Draft): boolean {
  return state.finishedAt !== null;
}
