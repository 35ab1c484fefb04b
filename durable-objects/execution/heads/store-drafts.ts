// Draft store: stores the drafts of a turn, arms the alarm, and then sends the effects. Quarantines an execution whose
// draft cannot be stored.
import { isFinalStatus } from "#schema/engine/state.ts";
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
  readonly deferred: DeferredProjections;
  readonly directCalls: Pick<DirectCalls, "start" | "abort">;
  readonly projectSoon: () => void;
};

export type DraftStore = {
  /** Stores drafts and sends their effects. Returns the executions whose draft could not be stored, with the fault. */
  readonly store: (drafts: readonly Draft[], now: number) => StoredDrafts["failed"];
  /** Writes all of `work` or nothing, together with the alarm. Throws if that fails. */
  readonly writeWithAlarm: (work: () => void) => void;
};

export function openDraftStore(parts: Parts): DraftStore {
  const { ports, heads, alarm } = parts;
  const sendEffects = openEffectSender(parts);
  const { arm, orRestoreAlarm } = openArming(parts);

  const commitAll = (drafts: readonly Draft[], now: number): StoredDrafts =>
    ports.storage.together(() => {
      heads.markResident(drafts.flatMap(({ state: { id }, effects }) => (hasPurge(effects) ? [] : [id])));
      const result = storeOneByOne(drafts, (draft) => heads.commit(draft, now));
      if (result.stored.length > 0) arm(result.stored);
      return result;
    });

  const storeAndSend = (drafts: readonly Draft[], now: number): StoredDrafts["failed"] => {
    if (drafts.length === 0) return new Map();
    const { stored, failed } = commitAll(drafts, now);
    sendEffects(stored);
    return failed;
  };

  /** Quarantines an execution whose draft the store refuses. After several refusals the execution fails. */
  const quarantineUnwritable = (execution: string, fault: UnstoredDraft, now: number): void => {
    const quarantined = heads.quarantine.put(execution, "unwritable", fault);
    const error = quarantined && errorOf(quarantined, fault);
    if (!error) return;
    const drafts = openDrafts(ports, heads, 0, now);
    const failing = attemptResult(() => drafts.apply(execution, { kind: "fail", error }, false));
    if (!("fault" in failing)) storeAndSend(drafts.all(), now);
  };

  return {
    store: (drafts, now) => {
      const failed = storeAndSend(drafts, now);
      for (const [execution, fault] of failed) quarantineUnwritable(execution, fault, now);
      return failed;
    },
    writeWithAlarm: (work) =>
      orRestoreAlarm(() =>
        ports.storage.atomically(() => {
          work();
          alarm.arm(false);
        }),
      ),
  };
}

function openArming({ ports, alarm }: Pick<Parts, "ports" | "alarm">) {
  /** If `work` throws, its rollback also undoes the alarm, so the alarm's cached time is restored. */
  const orRestoreAlarm = (work: () => void): void => {
    const armedAt = alarm.armedAt();
    try {
      work();
    } catch (fault) {
      alarm.noteArmed(armedAt);
      throw fault;
    }
  };

  let isRetryScheduled = false;
  /** Arms the alarm for stored drafts. A fault is retried by a timer, because no other event may wake the cell. */
  const arm = (drafts: readonly Draft[]): void => {
    try {
      orRestoreAlarm(() => alarm.arm(drafts.some((draft) => projectionOf(draft).isDue)));
    } catch (fault) {
      ports.log({ level: "error", event: "alarm_not_set", message: String(fault) });
      if (isRetryScheduled) return;
      isRetryScheduled = true;
      ports.runAfter(ALARM_RETRY_AFTER_MS, () => {
        isRetryScheduled = false;
        arm([]);
      });
    }
  };

  return { arm, orRestoreAlarm };
}

type SenderParts = Pick<Parts, "ports" | "pending" | "deferred" | "directCalls" | "projectSoon">;

/** Returns a function that sends the effects of stored drafts. */
function openEffectSender({ ports, pending, deferred, directCalls, projectSoon }: SenderParts) {
  /** A fault of a subscriber's stream must not keep the other effects from being sent. */
  const publish: Ports["publish"] = (execution, entries, end) => {
    try {
      ports.publish(execution, entries, end);
    } catch (fault) {
      ports.log({ level: "error", event: "entries_not_published", execution, message: String(fault) });
    }
  };

  return (drafts: readonly Draft[]): void => {
    const projections = drafts.map(projectionOf);
    for (const { isDue, state, audit } of projections) if (isDue) pending.add(state, audit);
    drafts.forEach(deferred.note);
    for (const draft of drafts) publish(draft.state.id, draft.entries, streamEnd(draft));
    sendOut(ports, drafts);
    for (const ticket of drafts.flatMap(({ tickets }) => tickets)) directCalls.start(ticket);
    for (const { state, effects } of drafts) {
      for (const effect of effects) {
        if (effect.kind === "abort") directCalls.abort(state.id, effect.run, effect.attempt);
      }
    }
    if (pending.hasUnsent() || drafts.some(hasEnded)) projectSoon();
  };
}

/**
 * After the end of an execution, `project` also moves the alarm to the next wake, even if nothing is left to project.
 */
function hasEnded({ state }: Draft): boolean {
  return state.finishedAt !== null;
}

/** Returns why the streams of subscribers end after the draft. Null if they continue. */
function streamEnd({ state, effects }: Draft): "deleted" | "ended" | null {
  if (hasPurge(effects)) return "deleted";
  return isFinalStatus(state.status) ? "ended" : null;
}
