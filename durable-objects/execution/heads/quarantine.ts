// Quarantine: executions that their cell cannot step, because their head is unreadable, every step fails, or their
// changes cannot be stored. Other executions continue. A quarantined execution is checked again after growing gaps, and
// released as soon as a step succeeds.
import { QUARANTINE_CHECK_GAPS_MS, QUARANTINE_REASON_CHARS_MAX } from "#schema/limits/executions.ts";
import type { QuarantineEntry, QuarantineKind } from "#schema/engine/quarantine.ts";
import type { QuarantineRow } from "#schema/engine/projection.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey, StoredKey } from "./key-rows.ts";
import type { HeadIndex } from "./head-index.ts";
import type { ResidentSet } from "./resident-set.ts";

export type Quarantine = {
  /** Returns the quarantine of an execution; undefined if it is not quarantined. */
  readonly get: (execution: string) => QuarantineEntry | undefined;
  /**
   * Records a failed step. Returns null if the record cannot be stored, because then the store is at fault and not the
   * execution.
   */
  readonly put: (execution: string, kind: QuarantineKind, fault: unknown) => QuarantineEntry | null;
  /** Deletes the stored record, as part of a commit. The caller calls `noteReleased` after the commit. */
  readonly writeRelease: (execution: string) => void;
  readonly noteReleased: (execution: string) => void;
  /** Projects the current status of an execution again, because the catalog may have lost it. */
  readonly projectAgain: (execution: string) => void;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "now" | "log">;
  readonly index: HeadIndex;
  readonly residents: Pick<ResidentSet, "writeResident" | "noteResident">;
  /** Writes all of `work` or nothing, together with an alarm for the earliest wake. */
  readonly writeWithAlarm: (work: () => void) => void;
  /** Projects a change to the catalog. `reason`: null after a release. */
  readonly projectChange: (execution: string, change: Pick<QuarantineRow, "at" | "reason" | "isBack">) => void;
};

export function openQuarantine(keys: readonly StoredKey[], parts: Parts): Quarantine {
  const { ports, index, projectChange } = parts;
  const { storage, now, log } = ports;
  const quarantinedById = new Map<string, QuarantineEntry>();
  /** Executions that this instance of the object has projected as quarantined. */
  const projected = new Set<string>();
  for (const { execution, quarantined } of keys) if (quarantined) quarantinedById.set(execution, quarantined);

  const put: Quarantine["put"] = (execution, kind, fault) => {
    const key = index.get(execution);
    if (!key) return null;
    const previous = quarantinedById.get(execution);
    const isSameKind = previous?.kind === kind;
    // A call before the next check does not change the record, so the gap does not grow with the number of calls.
    const isBeforeCheck = isSameKind && now() < previous.lookAt;
    const record = isBeforeCheck
      ? previous
      : failedAgain(kind, sentenceOf(fault), now(), isSameKind ? previous : undefined);
    // The last gap repeats. A record with this gap is not stored again, because only its time would change.
    const isStored = isBeforeCheck || (isSameKind && record.looks > QUARANTINE_CHECK_GAPS_MS.length);
    if (!isStored && !storeRecord(parts, key, record)) return null;
    quarantinedById.set(execution, record);
    index.setKey({ ...key, wakeAt: record.lookAt });
    if (!isSameKind) log({ level: "error", event: "execution_quarantined", execution, kind, message: record.reason });
    // Clients may call often, so the record is projected at the first call of an instance and after each check, not at
    // every call.
    if (isListed(record) && !(isBeforeCheck && projected.has(execution))) project(execution, record);
    return record;
  };

  const project = (execution: string, { since, reason }: QuarantineEntry): void => {
    projected.add(execution);
    projectChange(execution, { at: since, reason });
  };

  return {
    get: (execution) => quarantinedById.get(execution),
    put,
    writeRelease: (execution) => {
      if (quarantinedById.has(execution)) storage.writeQuarantine(execution, null);
    },
    noteReleased: (execution) => {
      const released = quarantinedById.get(execution);
      if (!released) return;
      quarantinedById.delete(execution);
      projected.delete(execution);
      log({ level: "info", event: "execution_released", execution, kind: released.kind, since: released.since });
      if (isListed(released)) projectChange(execution, { at: now(), reason: null, isBack: true });
    },
    projectAgain: (execution) => {
      const record = quarantinedById.get(execution);
      if (!index.get(execution)) return;
      if (record === undefined) projectChange(execution, { at: now(), reason: null });
      else if (isListed(record)) project(execution, record);
    },
  };
}

/** Stores the record together with an alarm for the next check. Returns false if that fails. */
function storeRecord(
  { ports, index, residents, writeWithAlarm }: Parts,
  key: HeadKey,
  record: QuarantineEntry,
): boolean {
  const { execution } = key;
  try {
    index.withRollback(() =>
      writeWithAlarm(() => {
        index.setKey({ ...key, wakeAt: record.lookAt });
        residents.writeResident([execution]);
        ports.storage.writeQuarantine(execution, record);
      }),
    );
    residents.noteResident([execution]);
    return true;
  } catch {
    return false;
  }
}

/** A single failure may be transient, so it is not projected. An unreadable head is never transient. */
function isListed({ kind, looks }: QuarantineEntry): boolean {
  return kind === "unreadable" || looks > 1;
}

/** Returns the record after one more failure. `previous`: the record of an earlier failure of the same kind. */
function failedAgain(
  kind: QuarantineKind,
  reason: string,
  now: number,
  previous: QuarantineEntry | undefined,
): QuarantineEntry {
  const looks = (previous?.looks ?? 0) + 1;
  const gapMs = QUARANTINE_CHECK_GAPS_MS[Math.min(looks, QUARANTINE_CHECK_GAPS_MS.length) - 1] ?? 0;
  return { kind, reason, since: previous?.since ?? now, looks, lookAt: now + gapMs };
}

function sentenceOf(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text.slice(0, QUARANTINE_REASON_CHARS_MAX);
}
