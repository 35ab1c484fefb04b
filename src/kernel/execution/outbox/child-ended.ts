// What a finished execution owes the one that started it and waits: the news of its end. Owed until somebody confirms
// that the parent has heard, or will not hear; told again with growing gaps until then, and kept as long.
import type { OwedSignal } from "#schema/engine/child.ts";
import type { Input } from "#schema/engine/input.ts";
import { RESEND_GAPS_MS } from "#schema/limits.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { leaveToParent } from "../retries/handled.ts";
import { change, note, type Step } from "../current-step.ts";

type Confirmed = Extract<Input, { kind: "confirmed" }>;

export function oweSignal(step: Step): void {
  const { parent } = step.state;
  if (parent && parent.waits !== false) sendSignal(step, parent.execution, 0);
}

/** The message may have been lost on its way. Twice is harmless: the parent takes the event once. */
export function resendSignal(step: Step): void {
  const { owed } = step.state;
  if (owed && dueAt(owed) <= step.now) sendSignal(step, owed.parent, owed.resends + 1);
}

/** The parent has heard, or will not: nothing is owed any more. A second confirmation changes nothing. */
export function confirmSignal(step: Step, { refused, took }: Confirmed): null {
  const { owed } = step.state;
  if (!owed) return null;
  change(step, { owed: null });
  if (took !== undefined) leaveToParent(step, owed.parent, took);
  note(step, { kind: "parent_told", parent: owed.parent, refused });
  return null;
}

/** When the parent is to be told again; null where nothing is owed. */
export function signalAt({ owed }: ExecutionState): number | null {
  return owed ? dueAt(owed) : null;
}

function dueAt({ sentAt, resends }: OwedSignal): number {
  return sentAt + Number(RESEND_GAPS_MS[Math.min(resends, RESEND_GAPS_MS.length - 1)]); // the index is in range
}

function sendSignal(step: Step, parent: string, resends: number): void {
  change(step, { owed: { parent, sentAt: step.now, resends } });
  step.effects.push({ kind: "signal", parent });
}
