// Attention of a connection: stores why the provider rejects the account, and reports each change to the catalog and
// the tenant's alert channels. A report that fails is repeated by the alarm.
import { REJECTED_ACCOUNT_REPORT_RETRY_MS } from "#schema/limits/outgoing/tokens.ts";
import { attentionOf, holdAttempt, type CredentialRejection } from "#policy/gates/rejected-credentials.ts";
import type { AttentionReport, AccessTokenAnswer } from "#schema/gate.ts";
import { noAttention, type GateStorage } from "./storage.ts";

export type AttentionPorts = {
  readonly storage: Pick<GateStorage, "readAttention" | "writeAttention">;
  readonly now: () => number;
  readonly name: () => Pick<AttentionReport, "tenant" | "connection">;
  /** Sends a report to the Worker. */
  readonly send: (news: AttentionReport) => Promise<void>;
  /** Sets the alarm for the time `at`, unless it is already set for an earlier time. */
  readonly wakeAt: (at: number) => Promise<void>;
};

export type ConnectionAttention = {
  /** Returns why the provider rejects the account; null if the provider accepts it. */
  readonly trouble: () => CredentialRejection | null;
  /** Stores why the provider rejects the account, and then reports it. null: the provider accepts the account again. */
  readonly set: (trouble: CredentialRejection | null) => Promise<void>;
  /**
   * Returns the answer for a run that waits until the account is fixed. Each run gets its own time for the next try.
   */
  readonly hold: (trouble: CredentialRejection) => AccessTokenAnswer;
  /**
   * Sends the unsent reports one after the other, so that the catalog ends with the latest one. Logs a failed report,
   * and sets the alarm to repeat it.
   */
  readonly report: () => Promise<void>;
  /** Clears the stored reports in memory. The caller deletes the connection's rows. */
  readonly reset: () => void;
};

export function openAttention({ storage, now, name, send, wakeAt }: AttentionPorts): ConnectionAttention {
  let stored = storage.readAttention();
  let isReporting = false;
  /** The number of resets. The answer to a report from before the latest reset is ignored. */
  let resets = 0;

  const hasUnsentReport = (): boolean => (stored.trouble?.since ?? null) !== stored.told;

  const report = async (): Promise<void> => {
    if (isReporting) return;
    isReporting = true;
    const resetsBefore = resets;
    try {
      while (hasUnsentReport()) {
        const attention = attentionOf(stored.trouble);
        await send({ ...name(), attention });
        if (resets !== resetsBefore) return;
        stored = { trouble: stored.trouble, told: attention?.since ?? null };
        storage.writeAttention(stored);
      }
    } catch (fault) {
      console.error(JSON.stringify({ level: "error", event: "attention_not_reported", message: String(fault) }));
      await wakeAt(now() + REJECTED_ACCOUNT_REPORT_RETRY_MS);
    } finally {
      isReporting = false;
    }
  };

  return {
    trouble: () => stored.trouble,
    set: async (trouble) => {
      if (stored.trouble === trouble) return;
      stored = { ...stored, trouble };
      storage.writeAttention(stored);
      if (hasUnsentReport()) await wakeAt(now() + REJECTED_ACCOUNT_REPORT_RETRY_MS);
      await report();
    },
    hold: (trouble) => {
      const held = holdAttempt(trouble, now());
      stored = { ...stored, trouble: held.trouble };
      return held.answer;
    },
    report,
    reset: () => {
      stored = noAttention;
      resets += 1;
    },
  };
}
