// Admission of starts with a subject: asks the subject's object whether the journey's re-entry rule admits the start.
// If the cell then does not begin the start, the admission is reverted.
import type { PlannedSubject } from "#kernel/execution/subject/subject.ts";
import type { Admission } from "#schema/engine/about.ts";
import type { StartItem, Reply } from "#schema/engine/cell.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { ENROLMENTS_CHECKED_PER_START_MAX, SUBJECT_JOURNEYS_MAX } from "#schema/limits/subjects/subject-rows.ts";
import { poolMove } from "#schema/placement/tenant-pool.ts";
import { accept, isUndecided, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { EnrollAnswer, Enrolment, EnrolmentFinding } from "#schema/subject/enrolment.ts";
import { answerEach, callWithRetry } from "../cells/call-cell.ts";
import { cellName } from "../cells/ids-and-cells.ts";
import type { Deps } from "../deps.ts";
import type { PlannedStart } from "../executions/plan-start.ts";

export type AdmitDeps = Pick<Deps, "subject" | "cell" | "log">;
/**
 * An admitted start. `turn` is the number of the admission to revert if the cell refuses the start. Null if there is
 * none.
 */
export type AdmittedStart = { readonly item: StartItem; readonly turn: number | null };

/** Admits each planned start. A start without a subject is always admitted, and a refused plan stays refused. */
export async function admitStarts(
  deps: AdmitDeps,
  plans: readonly Result<PlannedStart>[],
  dryRun: boolean,
): Promise<readonly Result<AdmittedStart>[]> {
  return answerEach(deps, plans, async (plan) =>
    plan.ok ? admitStart(deps, plan.value, { isGone: false, dryRun }) : plan,
  );
}

/**
 * Completes the admission of a start after its cell's reply. Returns the start that is sent to the cell again, or a
 * refusal. Returns null if the cell's reply is final.
 */
export async function settleAdmission(
  deps: AdmitDeps,
  plan: Result<PlannedStart> | undefined,
  admission: Result<AdmittedStart> | undefined,
  reply: Result<Reply>,
): Promise<Result<StartItem> | null> {
  if (reply.ok || !plan?.ok || !admission?.ok || plan.value.subject === undefined) return null;
  if (reply.refusal.code === "already_enrolled") {
    // An execution with this id existed and was deleted. The start is then admitted as a new one.
    const again = await admitStart(deps, plan.value, { isGone: true, dryRun: false });
    return again.ok ? accept(again.value.item) : again;
  }
  const { turn } = admission.value;
  if (turn !== null && hasNotBegun(reply.refusal)) await withdrawStart(deps, plan.value, turn);
  return null;
}

/** `isGone`: the cell has reported that an execution with this id existed and was deleted. */
type AdmitMode = { readonly isGone: boolean; readonly dryRun: boolean };

async function admitStart(
  deps: AdmitDeps,
  { subject, ...item }: PlannedStart,
  mode: AdmitMode,
): Promise<Result<AdmittedStart>> {
  if (subject === undefined) return accept({ item, turn: null });
  const { tenant, execution, definition, restart } = item.command;
  const object = deps.subject(subjectName(tenant, subject.key));
  const continued = restart ? { again: restart.execution } : {};
  const request = { journey: definition.name, execution, reentry: subject.reentry, ...continued, ...mode };
  const found: EnrolmentFinding[] = [];
  for (let doubts = 0; doubts <= ENROLMENTS_CHECKED_PER_START_MAX; doubts++) {
    const enrolled = await callWithRetry(() => object.enroll({ ...request, found }), "subject");
    if (!enrolled.ok) return enrolled;
    // The start would be a repeat, which a dry run must not send. So it continues as a prediction without an admission.
    if (enrolled.value.kind === "repeated" && mode.dryRun) return accept({ item, turn: null });
    if (enrolled.value.kind !== "doubt") return admissionOf(enrolled.value, item, subject);
    const doubtful = await lookUpEnrolled(deps, tenant, enrolled.value.of);
    if (!doubtful.ok) return doubtful;
    found.push(doubtful.value);
  }
  return refuse(inDoubt(definition.name));
}

/**
 * Reverts the admission of a start that its cell refused, so that the subject may be admitted again. If this call
 * fails, the admission expires on its own.
 */
async function withdrawStart(deps: AdmitDeps, { subject, command }: PlannedStart, turn: number): Promise<void> {
  const { tenant, execution, definition } = command;
  if (subject === undefined) return;
  try {
    await deps.subject(subjectName(tenant, subject.key)).withdraw(definition.name, execution, turn);
  } catch (fault) {
    deps.log({ level: "warn", event: "admission_not_withdrawn", execution, message: String(fault) });
  }
}

/** Returns whether an enrolled execution exists and, if it has ended, how. */
export async function lookUpEnrolled(
  deps: Pick<Deps, "cell">,
  tenant: string,
  { execution, turn }: Enrolment,
): Promise<Result<EnrolmentFinding>> {
  const answer = await callWithRetry(() => deps.cell(cellName(tenant, execution)).read(execution));
  const read = answer.ok ? answer.value : answer;
  if (!read.ok) return isUndecided(read.refusal) ? read : accept({ execution, turn, is: null });
  const { status, finishedAt, updatedAt } = read.value;
  const ended = isFinalStatus(status) ? { status, at: finishedAt ?? updatedAt } : null;
  return accept({ execution, turn, is: { ended } });
}

export function subjectName(tenant: string, key: string): string {
  return `${tenant}/${key}`;
}

function admissionOf(
  enrolled: Exclude<EnrollAnswer, { kind: "doubt" }>,
  item: StartItem,
  { key, reentry }: PlannedSubject,
): Result<AdmittedStart> {
  const withSubject = (subject: Admission): StartItem => ({ ...item, command: { ...item.command, subject } });
  switch (enrolled.kind) {
    case "admitted":
      return accept({ item: withSubject({ key, until: enrolled.until }), turn: enrolled.isNew ? enrolled.turn : null });
    case "repeated":
      return accept({ item: withSubject({ key, until: null }), turn: null });
    case "enrolled":
      return refuse(alreadyEnrolled(item.command.definition.name, key, reentry, enrolled.by));
    case "full":
      return refuse(tooManyJourneys(key));
  }
}

function alreadyEnrolled(
  journey: string,
  subject: string,
  reentry: PlannedSubject["reentry"],
  { execution, at, ended }: Enrolment,
): Refusal {
  const since = new Date(at).toISOString();
  const how = ended === null ? "is in" : `was in (${ended.status} at ${new Date(ended.at).toISOString()})`;
  const hint =
    reentry === "once"
      ? `This journey admits each subject once: GET /v1/executions/${execution} shows the subject's execution. With "reentry": "after_finish", a subject can enter again.`
      : `The subject can start the journey again after the execution ${execution} has ended. Wait for its end, or cancel it.`;
  return {
    code: "already_enrolled",
    message: `The subject ${subject} ${how} the journey ${journey} since ${since}, in the execution ${execution}.`,
    hint,
    details: { execution, subject, reentry, ended: ended?.status ?? null },
  };
}

function tooManyJourneys(subject: string): Refusal {
  const message = `The subject ${subject} has been in ${SUBJECT_JOURNEYS_MAX} journeys, which is the limit of stored journeys (SUBJECT_JOURNEYS_MAX).`;
  const hint = `To delete all journeys of the subject, call DELETE /v1/subjects/${encodeURIComponent(subject)}.`;
  return { code: "limit_exceeded", message, hint };
}

function inDoubt(journey: string): Refusal {
  return {
    code: "unavailable",
    message: `The engine is still checking which executions of the journey ${journey} are running.`,
    hint: "Send the same request again with the same Idempotency-Key.",
  };
}

/**
 * True if the cell has certainly not begun the start. After `already_exists` or `idempotency_conflict`, an execution
 * with this id may exist. After an undecided refusal, the start may have begun.
 */
function hasNotBegun(refusal: Refusal): boolean {
  if (poolMove.safeParse(refusal.details).success) return true;
  return !isUndecided(refusal) && refusal.code !== "already_exists" && refusal.code !== "idempotency_conflict";
}
