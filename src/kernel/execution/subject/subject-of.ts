// The subject of an execution that is about to start: evaluates the journey's rule over its variables.
import type { JsonObject, Rule } from "#schema/json.ts";
import { SUBJECT_KEY_CHARS_MAX } from "#schema/limits/subjects.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { subjectKey } from "#schema/subject/key.ts";
import type { Reentry } from "#schema/subject/enrolment.ts";
import { evaluate } from "../../language/logic.ts";
import type { Work } from "../../computing/work.ts";

/** A journey's rule for its subject, cached when its definition is first read. */
export type SubjectRule = { readonly rule: Rule; readonly reentry: Reentry; readonly variables: JsonObject };
export type PlannedSubject = { readonly key: string; readonly reentry: Reentry };

type About = { readonly id: string; readonly namespace: string; readonly correlationId: string | null };

export function subjectOf(
  { rule: by, reentry: again, variables: usual }: SubjectRule,
  { id, namespace, correlationId }: About,
  given: JsonObject,
  work?: Work,
): Result<PlannedSubject> {
  const variables = { ...usual, ...given };
  const found = evaluate(by, { execution: { id, namespace, correlationId, variables } }, work);
  if (!found.ok) return refuse(noSubject(by, `its rule cannot be evaluated: ${found.message}`));
  const key = subjectKey.safeParse(typeof found.value === "number" ? String(found.value) : found.value);
  if (key.success) return accept({ key: key.data, reentry: again });
  const shown = JSON.stringify(found.value).slice(0, 100);
  return refuse(
    noSubject(by, `the rule gives ${shown}, not a number or a text of 1 to ${SUBJECT_KEY_CHARS_MAX} characters`),
  );
}

function noSubject(by: Rule, why: string) {
  const message = `The journey has no subject: ${why}.`;
  const hint = `Its rule is ${JSON.stringify(by).slice(0, 200)}: send the variables that the rule reads.`;
  return {
    code: "invalid_input",
    message,
    hint,
    errors: [{ pointer: "/variables", code: "no_subject", message: why, hint }],
  } as const;
}
