// An execution about a subject begins under the admission of the subject's object, and while that holds: an admission that
// nobody has heard of is given to another, and this one must not begin behind his back.
import type { Input } from "#schema/engine/input.ts";
import { refuse } from "#schema/refusal.ts";
import type { Refused } from "../control.ts";

export function refuseAdmission({ subject, now, execution, definition }: Extract<Input, { kind: "start" }>): Refused {
  if (subject === undefined) return null;
  if (subject.until === null) {
    const message = `${execution} has been in ${definition.name}, has ended, and its first answer is gone`;
    return refuse({ code: "already_enrolled", message });
  }
  if (now <= subject.until) return null;
  const message = `its admission for ${definition.name} ended at ${new Date(subject.until).toISOString()}`;
  return refuse({ code: "unavailable", message, hint: "Send the same request again." });
}
