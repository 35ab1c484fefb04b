// What was asked before: an input that comes twice is done once, and one that comes changed is told so.
import { limits } from "#schema/limits.ts";
import { refuse, type Refusal } from "#schema/refusal.ts";
import type { ExecutionState, Receipt } from "#schema/engine/state.ts";

export type Asked = { readonly inputId: string; readonly fingerprint: string };

/** null: never seen before. */
export function repeatOf(state: ExecutionState, asked: Asked): "repeated" | { ok: false; refusal: Refusal } | null {
  const receipt = state.receipts.find(({ inputId }) => inputId === asked.inputId);
  if (!receipt) return null;
  if (receipt.fingerprint === asked.fingerprint) return "repeated";
  return refuse({
    code: "idempotency_conflict",
    message: `${asked.inputId} was used before with another body`,
    hint: "Use a new key for a new request; repeat an old one unchanged.",
  });
}

/** The oldest go first, but never the start's own: its repetition may come at any time. */
export function keepReceipt(receipts: readonly Receipt[], { inputId, fingerprint }: Asked, seq: number): Receipt[] {
  const all = [...receipts, { inputId, fingerprint, seq }];
  return [...all.slice(0, 1), ...all.slice(1).slice(1 - limits.receiptsMax)];
}
