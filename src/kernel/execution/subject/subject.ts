// The subject of an execution: which subject it is about, whether it is admitted, and towards which cap a run counts.
// The cap is computed at the claim, so that the consumer can request a slot of the cap without reading the definition.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Cap } from "#schema/definition/cap.ts";
import type { Input } from "#schema/engine/input.ts";
import type { Run } from "#schema/engine/run.ts";
import type { JsonObject, Rule } from "#schema/json.ts";
import { SUBJECT_KEY_CHARS_MAX } from "#schema/limits/subjects/subject-rows.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TicketCap } from "#schema/subject/cap.ts";
import type { Reentry } from "#schema/subject/enrolment.ts";
import { subjectKey } from "#schema/subject/key.ts";
import type { Work } from "../../computing/work.ts";
import { evaluate } from "../../language/logic.ts";
import { resolveZone } from "../../language/zone-settings.ts";
import { durationMs } from "../../language/timing.ts";
import type { RefusalOrNull } from "../control.ts";
import { recordUnknownZone, zonesOf } from "../due/settings-for-zones.ts";
import { scopeOfRun, type Step } from "../current-step.ts";

/**
 * The rule that gives a journey's subject, with the settings that it needs. It is cached when the definition is first
 * read.
 */
export type SubjectRule = { readonly rule: Rule; readonly reentry: Reentry; readonly variables: JsonObject };
export type PlannedSubject = { readonly key: string; readonly reentry: Reentry };

type ExecutionIdentity = { readonly id: string; readonly namespace: string; readonly correlationId: string | null };

export function subjectOf(
  { rule: by, reentry: again, variables: usual }: SubjectRule,
  { id, namespace, correlationId }: ExecutionIdentity,
  given: JsonObject,
  work?: Work,
): Result<PlannedSubject> {
  const variables = { ...usual, ...given };
  const found = evaluate(by, { execution: { id, namespace, correlationId, variables } }, work);
  if (!found.ok) return refuse(missingSubjectRefusal(by, `the rule "subject" cannot be evaluated: ${found.message}`));
  const key = subjectKey.safeParse(typeof found.value === "number" ? String(found.value) : found.value);
  if (key.success) return accept({ key: key.data, reentry: again });
  const shown = JSON.stringify(found.value).slice(0, 100);
  return refuse(
    missingSubjectRefusal(
      by,
      `the rule "subject" returns ${shown}, but must return a number or a text of 1 to ${SUBJECT_KEY_CHARS_MAX} characters`,
    ),
  );
}

function missingSubjectRefusal(by: Rule, why: string) {
  const message = `The journey has no subject: ${why}.`;
  const hint = `Send the variables that the rule "subject" reads: ${JSON.stringify(by).slice(0, 200)}.`;
  return {
    code: "invalid_input",
    message,
    hint,
    errors: [{ pointer: "/variables", code: "no_subject", message: why, hint }],
  } as const;
}

export function refuseAdmission({
  subject,
  now,
  execution,
  definition,
}: Extract<Input, { kind: "start" }>): RefusalOrNull {
  if (subject === undefined) return null;
  if (subject.until === null) {
    const message = `the execution ${execution} of ${definition.name} has ended, and the stored response of its start was deleted`;
    return refuse({ code: "already_enrolled", message });
  }
  if (now <= subject.until) return null;
  const message = `the permission to start ${definition.name} for this subject expired at ${new Date(subject.until).toISOString()}`;
  return refuse({ code: "unavailable", message, hint: "Send the same request again in a moment." });
}

type CappedAction = ActionDefinition & { readonly cap?: Cap & { readonly name: string } };
export type FoundCap =
  /** `run`: the run, after an unknown zone was recorded. */
  | { readonly ok: true; readonly cap: TicketCap | null; readonly run: Run }
  | { readonly ok: false; readonly why: string };

export function capFor(step: Step, run: Run, { cap }: CappedAction): FoundCap {
  if (cap === undefined) return { ok: true, cap: null, run };
  const { subject } = step.state;
  // A run with a cap but without a subject fails, because it must not be sent uncounted.
  if (!subject)
    return { ok: false, why: `the action counts towards the cap ${cap.name}, but its execution has no subject` };
  const { name, max, over = "wait", per } = cap;
  const counted = { name, subject: subject.key, max, over };
  if (per !== undefined)
    return { ok: true, cap: { ...counted, window: { kind: "rolling", ms: durationMs(per) } }, run };
  const zone = resolveZone(zonesOf(step, cap), scopeOfRun(step, run), step.work);
  if (!zone.ok) return { ok: false, why: zone.message };
  const window = { kind: "day", timezone: zone.name } as const;
  return { ok: true, cap: { ...counted, window }, run: recordUnknownZone(step, run, zone.unknown) };
}
