// The subject of an execution: which subject it is about, whether it is admitted, and towards which cap a run counts.
// A cap may name a subject of its own. The cap is computed at the claim, so that the consumer can request a slot of the
// cap without reading the definition.
import type { ProgramAction } from "#schema/definition/action.ts";
import type { NamedCap } from "#schema/definition/cap.ts";
import type { Input } from "#schema/engine/input.ts";
import type { Run } from "#schema/engine/run.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { SUBJECT_KEY_CHARS_MAX } from "#schema/limits/subjects/subject-rows.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TicketCap } from "#schema/subject/cap.ts";
import type { Reentry } from "#schema/subject/enrolment.ts";
import { subjectKey } from "#schema/subject/key.ts";
import type { Work } from "../../computing/work.ts";
import { evaluate } from "../../language/logic.ts";
import { resolveZone } from "../../language/zone-settings.ts";
import { render } from "../../language/render.ts";
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
  const key = parseKey(found.value);
  if (key.success) return accept({ key: key.data, reentry: again });
  const shown = JSON.stringify(found.value).slice(0, 100);
  return refuse(
    missingSubjectRefusal(
      by,
      `the rule "subject" returns ${shown}, but must return a number or a text of 1 to ${SUBJECT_KEY_CHARS_MAX} characters`,
    ),
  );
}

/** Parses the result of a rule or template as a subject's key. A number counts as a text. */
function parseKey(value: Json) {
  return subjectKey.safeParse(typeof value === "number" ? String(value) : value);
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

export type FoundCap =
  /** `run`: the run, after an unknown zone was recorded. */
  | { readonly ok: true; readonly cap: TicketCap | null; readonly run: Run }
  | { readonly ok: false; readonly why: string };

/** The cap towards which the run counts, with its subject and window. `why`: the reason why it cannot be counted. */
export function capFor(step: Step, run: Run, { cap }: ProgramAction): FoundCap {
  if (cap === undefined) return { ok: true, cap: null, run };
  // A run with a cap but without a subject fails, because it must not be sent uncounted.
  const subject = subjectOfCap(step, run, cap);
  if (!subject.ok) return subject;
  const { name, max, over = "wait", per } = cap;
  const counted = { name, subject: subject.key, max, over };
  if (per !== undefined)
    return { ok: true, cap: { ...counted, window: { kind: "rolling", ms: durationMs(per) } }, run };
  const zones = zonesOf(step, cap, step.state.standalone?.action ?? {});
  const zone = resolveZone(zones, scopeOfRun(step, run), step.work);
  if (!zone.ok) return { ok: false, why: zone.message };
  const window = { kind: "day", timezone: zone.name } as const;
  return { ok: true, cap: { ...counted, window }, run: recordUnknownZone(step, run, zone.unknown) };
}

type FoundSubject = { readonly ok: true; readonly key: string } | { readonly ok: false; readonly why: string };

/** The subject of a cap: its own, or else the subject of the execution. */
export function subjectOfCap(step: Step, run: Run, { name, subject }: NamedCap): FoundSubject {
  if (subject === undefined) {
    const about = step.state.subject;
    if (about !== undefined) return { ok: true, key: about.key };
    return { ok: false, why: `the action counts towards the cap ${name}, but its execution has no subject` };
  }
  const scope = scopeOfRun(step, run);
  const found = typeof subject === "string" ? render(subject, scope, step.work) : evaluate(subject, scope, step.work);
  if (!found.ok) {
    const message = "error" in found ? found.error.message.replace(/^config: /, "") : found.message;
    return { ok: false, why: `cap/subject: ${message}` };
  }
  const key = parseKey(found.value);
  if (key.success) return { ok: true, key: key.data };
  const shown = JSON.stringify(found.value).slice(0, 100);
  const why = `cap/subject: the subject of the cap ${name} is ${shown}, but must be a number or a text of 1 to ${SUBJECT_KEY_CHARS_MAX} characters`;
  return { ok: false, why };
}
