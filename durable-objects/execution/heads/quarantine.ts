// Quarantine: executions that their cell cannot step. They are unreadable, fail in every step, or produce changes that
// cannot be stored. The others continue; quarantined ones are rechecked after growing gaps and released automatically.
import { QUARANTINE_CHECK_GAPS_MS, QUARANTINE_REASON_CHARS_MAX } from "#schema/limits/quarantined-executions.ts";
import type { Quarantined, QuarantineKind } from "#schema/engine/quarantine.ts";
import type { QuarantineRow } from "#schema/engine/projection.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey, StoredKey } from "./key-rows.ts";
import type { HeadIndex } from "./head-index.ts";
import type { ResidentSet } from "./resident-set.ts";

export type Quarantine = {
  readonly of: (execution: string) => Quarantined | undefined;
  /** Records a failed step. null if not even this can be stored: then the store is at fault, not the execution. */
  readonly put: (execution: string, kind: QuarantineKind, fault: unknown) => Quarantined | null;
  /** Part of a commit that steps it successfully. Call `lifted` after it is stored. */
  readonly release: (execution: string) => void;
  readonly lifted: (execution: string) => void;
  /** The catalog has lost its projection. */
  readonly tellAgain: (execution: string) => void;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "now" | "log">;
  readonly index: HeadIndex;
  readonly roll: Pick<ResidentSet, "list" | "listed">;
  /** Sends the quarantine to the catalog: `reason` is null when it is over. */
  /** All of it or none, with an alarm for the earliest wake. */
  readonly armed: (work: () => void) => void;
  readonly tell: (execution: string, told: Pick<QuarantineRow, "at" | "reason" | "isBack">) => void;
};

export function openQuarantine(keys: readonly StoredKey[], { ports, index, roll, armed, tell }: Parts): Quarantine {
  const { storage, now, log } = ports;
  const apart = new Map<string, Quarantined>();
  const told = new Set<string>();
  for (const { execution, quarantined } of keys) if (quarantined) apart.set(execution, quarantined);

  /** Together with an alarm for its next check, which also works after a crash. */
  const store = (key: HeadKey, quarantined: Quarantined): boolean => {
    try {
      index.undoably(() =>
        armed(() => {
          index.place({ ...key, wakeAt: quarantined.lookAt });
          roll.list([key.execution]);
          storage.writeQuarantine(key.execution, quarantined);
        }),
      );
      roll.listed([key.execution]);
      return true;
    } catch {
      return false;
    }
  };

  const put: Quarantine["put"] = (execution, kind, fault) => {
    const key = index.get(execution);
    if (!key) return null;
    const was = apart.get(execution);
    const isSame = was?.kind === kind;
    // A call before the gap is over changes nothing: the gap ends when it ends.
    const isEarly = isSame && now() < was.lookAt;
    const next = isEarly ? was : afresh(kind, sentenceOf(fault), now(), isSame ? was : undefined);
    // The last gap repeats; a row each time would add no information.
    const isKnown = isEarly || (isSame && next.looks > QUARANTINE_CHECK_GAPS_MS.length);
    if (!isKnown && !store(key, next)) return null;
    apart.set(execution, next);
    index.place({ ...key, wakeAt: next.lookAt });
    if (!isSame) log({ level: "error", event: "execution_quarantined", execution, kind, message: next.reason });
    // Clients may read as often as they like: each instance of the object projects it once, and again after its next
    // check.
    if (isListed(next) && !(isEarly && told.has(execution))) tellOf(execution, next);
    return next;
  };

  const tellOf = (execution: string, { since, reason }: Quarantined): void => {
    told.add(execution);
    tell(execution, { at: since, reason });
  };

  return {
    of: (execution) => apart.get(execution),
    put,
    release: (execution) => {
      if (apart.has(execution)) storage.writeQuarantine(execution, null);
    },
    lifted: (execution) => {
      const was = apart.get(execution);
      if (!was) return;
      apart.delete(execution);
      told.delete(execution);
      log({ level: "info", event: "execution_released", execution, kind: was.kind, since: was.since });
      if (isListed(was)) tell(execution, { at: now(), reason: null, isBack: true });
    },
    tellAgain: (execution) => {
      const is = apart.get(execution);
      if (!index.get(execution)) return;
      if (is === undefined) tell(execution, { at: now(), reason: null });
      else if (isListed(is)) tellOf(execution, is);
    },
  };
}

/** One failure may be transient, so it is not projected. An unreadable row is never transient. */
function isListed({ kind, looks }: Quarantined): boolean {
  return kind === "unreadable" || looks > 1;
}

function afresh(kind: QuarantineKind, reason: string, now: number, was: Quarantined | undefined): Quarantined {
  const looks = (was?.looks ?? 0) + 1;
  const gap = QUARANTINE_CHECK_GAPS_MS[Math.min(looks, QUARANTINE_CHECK_GAPS_MS.length) - 1] ?? 0;
  return { kind, reason, since: was?.since ?? now, looks, lookAt: now + gap };
}

function sentenceOf(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text.slice(0, QUARANTINE_REASON_CHARS_MAX);
}
