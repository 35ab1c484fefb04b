// What an execution that has ended owes its subject's object: the news of that, on which re-entry hangs. Told again with growing
// gaps until it is confirmed, and its history stays as long: what is not there has told, or has never been.
import type { Input } from "#schema/engine/input.ts";
import { RESEND_GAPS_MS } from "#schema/limits.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { change, note, type Step } from "../current-step.ts";

export function tellSubject(step: Step): void {
  if (step.state.subject) send(step, step.state.subject, 0);
}

/** The message may have been lost on its way. Twice is harmless. */
export function tellSubjectAgain(step: Step): void {
  const { subject } = step.state;
  const at = subjectAt(step.state);
  if (subject && at !== null && at <= step.now) send(step, subject, subject.resends + 1);
}

/** A second confirmation changes nothing, and neither does one of an earlier life. */
export function confirmTold(step: Step, { incarnation }: Extract<Input, { kind: "subjectTold" }>): null {
  const { subject, createdAt } = step.state;
  if (!subject || subject.sentAt === null || incarnation !== createdAt) return null;
  change(step, { subject: { ...subject, sentAt: null, resends: 0 } });
  note(step, { kind: "subject_told" });
  return null;
}

/** When the subject's object is to be told again; null where nothing is owed. */
export function subjectAt({ subject }: Pick<ExecutionState, "subject">): number | null {
  if (!subject || subject.sentAt === null) return null;
  return subject.sentAt + Number(RESEND_GAPS_MS[Math.min(subject.resends, RESEND_GAPS_MS.length - 1)]); // in range
}

function send(step: Step, subject: NonNullable<ExecutionState["subject"]>, resends: number): void {
  change(step, { subject: { ...subject, sentAt: step.now, resends } });
  step.effects.push({ kind: "subject" });
}
