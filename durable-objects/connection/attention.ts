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
  /** Sets the alarm for this instant, unless it is set for an earlier one. */
  readonly wakeAt: (at: number) => Promise<void>;
};

export type ConnectionAttention = {
  /** Returns the current trouble; null if the provider accepts the account. */
  readonly trouble: () => CredentialRejection | null;
  /** Stores the trouble at once, and then reports it. null: the trouble is over. */
  readonly set: (trouble: CredentialRejection | null) => Promise<void>;
  /** Answers a run that must wait for the account to be fixed. Each run gets its own instant for the next try. */
  readonly hold: (trouble: CredentialRejection) => AccessTokenAnswer;
  /** Sends the unsent reports, one after the other, so that the last one wins. Never rejects. */
  readonly report: () => Promise<void>;
  /** Forgets everything. The connection's rows are deleted by the caller. */
  readonly reset: () => void;
};

export function openAttention({ storage, now, name, send, wakeAt }: AttentionPorts): ConnectionAttention {
  let stored = storage.readAttention();
  let isReporting = false;
  /** Counts the resets, so that the answer to an earlier report is ignored. */
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
