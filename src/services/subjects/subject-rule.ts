// What a stored journey says of its subject, read without the rest of it.
import { z } from "zod";
import type { SubjectRule } from "#kernel/execution/subject/subject-of.ts";
import { jsonObject, rule } from "#schema/json.ts";
import { reentry } from "#schema/subject/enrolment.ts";

/** The little that is read here; the whole is the cell's business. */
const written = z.object({
  kind: z.string(),
  subject: rule.optional(),
  reentry: reentry.optional(),
  variables: jsonObject.optional(),
});

export function subjectRuleOf(definition: unknown): SubjectRule | null {
  const { kind, subject, reentry: again = "always", variables = {} } = written.parse(definition);
  return kind === "journey" && subject !== undefined ? { rule: subject, reentry: again, variables } : null;
}
