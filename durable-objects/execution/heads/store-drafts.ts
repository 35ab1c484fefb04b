// Storing: stores the drafts of a turn, then sends their effects. Callers whose draft could not be stored get an error.
import { ALARM_RETRY_AFTER_MS } from "#schema/limits/alarms.ts";
import type { Alarm } from "../alarm.ts";
import { openDrafts, hasPurge, type Draft } from "../drafts.ts";
import type { DirectCalls } from "../direct-calls.ts";
import { attemptResult } from "../intake.ts";
import { sendOut } from "../outbox.ts";
import { projectionOf, type PendingProjections } from "../projections/pending-projections.ts";
import type { Ports } from "../ports.ts";
import type { DeferredProjections } from "../projections/deferred-projections.ts";
import type { Heads } from "./heads.ts";
import { errorOf, storeOneByOne, type StoredDrafts, type UnstoredDraft } from "./store-one-by-one.ts";

type Parts = {
  readonly ports: Ports;
  readonly heads: Heads;
  readonly alarm: Alarm;
  readonly pending: PendingProjections;
  readonly putOff: DeferredProjections;
  readonly flights: Pick<DirectCalls, "fly" | "callOff">;
  readonly projectSoon: () => void;
};

export type DraftStore = {
  /** Returns the executions of which nothing was stored. */
  readonly store: (drafts: readonly Draft[], now: number) => StoredDrafts["failed"];
  /** Another write, all or nothing, together with the alarm. */
  readonly armed: (work: () => void) => void;
};

export function openDraftStore(parts: Parts): DraftStore {
  const { ports, heads, alarm } = parts;
  const goOut = openGoingOut(parts);
  const { arm, orDisarmed } = openArming(parts);

  const commit = (drafts: readonly Draft[], now: number): StoredDrafts =>
    ports.storage.together(() => {
      heads.list(drafts.flatMap(({ state: { id }, effects }) => (hasPurge(effects) ? [] : [id])));
      const all = storeOneByOne(drafts, (draft) => heads.commit(draft, now));
      if (all.stored.length > 0) arm(all.stored);
      return all;
    });

  const storeAll = (drafts: readonly Draft[], now: number): StoredDrafts["failed"] => {
    if (drafts.length === 0) return new Map();
    const { stored, failed } = commit(drafts, now);
    goOut(stored);
    return failed;
  };

  /** The store accepts other drafts and not this execution's: after repeated refusals the execution fails visibly. */
  const blame = (execution: string, fault: UnstoredDraft, now: number): void => {
    const quarantined = heads.quarantine.put(execution, "unwritable", fault);
    const error = quarantined && errorOf(quarantined, fault);
    if (!error) return;
    const drafts = openDrafts(ports, heads, 0, now);
    const failing = attemptResult(() => drafts.apply(execution, { kind: "fail", error }, false));
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

function openArming({ ports, alarm }: Pick<Parts, "ports" | "alarm">) {
  /** A commit that fails restores the alarm. */
  const orDisarmed = (work: () => void): void => {
    const armedAt = alarm.armedAt();
    try {
      work();
    } catch (fault) {
      alarm.noteArmed(armedAt);
      throw fault;
    }
  };

  let isTriedAgain = false;
  /** Arms for what is stored by now. If even that fails, no later event may process it, so it is retried. */
  const arm = (drafts: readonly Draft[]): void => {
    try {
      orDisarmed(() => alarm.arm(drafts.some((draft) => projectionOf(draft).isDue)));
    } catch (fault) {
      ports.log({ level: "error", event: "alarm_not_set", message: String(fault) });
      if (isTriedAgain) return;
      isTriedAgain = true;
      ports.later(ALARM_RETRY_AFTER_MS, () => {
        isTriedAgain = false;
        arm([]);
      });
    }
  };

  return { arm, orDisarmed };
}

type Outward = Pick<Parts, "ports" | "pending" | "putOff" | "flights" | "projectSoon">;

/** Sends the effects of stored drafts. */
function openGoingOut({ ports, pending, putOff, flights, projectSoon }: Outward): (drafts: readonly Draft[]) => void {
  /** Committed entries are published, whether or not a subscriber fails. */
  const publish: Ports["publish"] = (execution, entries, isGone) => {
    try {
      ports.publish(execution, entries, isGone);
    } catch (fault) {
      ports.log({ level: "error", event: "entries_not_published", execution, message: String(fault) });
    }
  };

  return (drafts) => {
    const projections = drafts.map(projectionOf);
    for (const { isDue, state, audit } of projections) if (isDue) pending.add(state, audit);
    drafts.forEach(putOff.note);
    for (const { state, entries, effects } of drafts) publish(state.id, entries, hasPurge(effects));
    sendOut(ports, drafts);
    for (const ticket of drafts.flatMap(({ tickets }) => tickets)) flights.fly(ticket);
    for (const { state, effects } of drafts) {
      for (const effect of effects) {
        if (effect.kind === "abort") flights.callOff(state.id, effect.run, effect.attempt);
      }
    }
    if (pending.areLeft() || drafts.some(isAfterItsEnd)) projectSoon();
  };
}

/** Such a commit projects nothing, most often; but the alarm can then move to the next wake. */
function isAfterItsEnd({ state }: Draft): boolean {
  return state.finishedAt !== null;
}
