// Admission of an execution with a subject: the subject's object admits it for a limited time. After that the object
// may admit another one, so this one must not start then.
import type { Input } from "#schema/engine/input.ts";
import { refuse } from "#schema/refusal.ts";
import type { Refused } from "../control.ts";

export function refuseAdmission({ subject, now, execution, definition }: Extract<Input, { kind: "start" }>): Refused {
  if (subject === undefined) return null;
  if (subject.until === null) {
    const message = `${execution} of ${definition.name} has ended, and its stored response was deleted`;
    return refuse({ code: "already_enrolled", message });
  }
  if (now <= subject.until) return null;
  const message = `the admission to ${definition.name} expired at ${new Date(subject.until).toISOString()}`;
  return refuse({ code: "unavailable", message, hint: "Send the same request again." });
}
