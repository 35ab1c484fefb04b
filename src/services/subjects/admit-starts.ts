// Admission of starts about a subject: asks the subject's object whether the journey's re-entry rule admits the start,
// and then starts the admitted ones.
import { z } from "zod";
import type { SubjectRule, PlannedSubject } from "#kernel/execution/subject/subject.ts";
import type { Admission } from "#schema/engine/about.ts";
import type { StartItem, Reply } from "#schema/engine/cell.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import { jsonObject, rule } from "#schema/json.ts";
import { DOUBTS_PER_START_MAX, SUBJECT_JOURNEYS_MAX } from "#schema/limits/subjects.ts";
import { poolMove } from "#schema/placement/tenant-pool.ts";
import { accept, isUndecided, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { reentry, type Enrolled, type Enrolment, type Found } from "#schema/subject/enrolment.ts";
import { answerEach, callWithRetry } from "../cells/call-cell.ts";
import { cellName } from "../cells/placement.ts";
import type { Deps } from "../deps.ts";

/** The part of a stored definition that this file reads; the cell parses the whole. */
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

export type AdmitDeps = Pick<Deps, "subject" | "cell" | "log">;
/** A start that is planned and not admitted yet. `subject` is the subject it is about; absent if it has none. */
export type PlannedStart = StartItem & { readonly subject?: PlannedSubject };
/** An admitted start. `turn` is the admission to revert if the cell refuses the start; null if there is none. */
export type AdmittedStart = { readonly item: StartItem; readonly turn: number | null };

type Asked = { readonly isGone: boolean; readonly dryRun: boolean };

export async function admitStart(
  deps: AdmitDeps,
  { subject, ...item }: PlannedStart,
  asked: Asked,
): Promise<Result<AdmittedStart>> {
  if (subject === undefined) return accept({ item, turn: null });
  const { tenant, execution, definition } = item.command;
  const object = deps.subject(subjectName(tenant, subject.key));
  const { restart } = item.command;
  const again = restart ? { again: restart.execution } : {};
  const ask = { journey: definition.name, execution, reentry: subject.reentry, ...again, ...asked };
  const found: Found[] = [];
  for (let doubts = 0; doubts <= DOUBTS_PER_START_MAX; doubts++) {
    const reached = await callWithRetry(() => object.enroll({ ...ask, found }), "subject");
    if (!reached.ok) return reached;
    // A stored answer can only be read by repeating the start, and a dry run must not do that.
    if (reached.value.kind === "repeated" && asked.dryRun) return accept({ item, turn: null });
    if (reached.value.kind !== "doubt") return admittedBy(reached.value, item, subject);
    const look = await lookUp(deps, tenant, reached.value.of);
    if (!look.ok) return look;
    found.push(look.value);
  }
  return refuse(inDoubt(definition.name));
}

/**
 * Reverts the admission of a start that its cell refused, so that the subject may be admitted again. If this call is
 * lost, the admission expires.
 */
export async function withdrawStart(deps: AdmitDeps, { subject, command }: PlannedStart, turn: number): Promise<void> {
  const { tenant, execution, definition } = command;
  if (subject === undefined) return;
  try {
    await deps.subject(subjectName(tenant, subject.key)).withdraw(definition.name, execution, turn);
  } catch (fault) {
    deps.log({ level: "warn", event: "admission_not_withdrawn", execution, message: String(fault) });
  }
}

/** Reads whether an enrolled execution exists, and how it ended if it has. */
export async function lookUp(
  deps: Pick<Deps, "cell">,
  tenant: string,
  { execution, turn }: Enrolment,
): Promise<Result<Found>> {
  const reached = await callWithRetry(() => deps.cell(cellName(tenant, execution)).read(execution));
  const read = reached.ok ? reached.value : reached;
  if (!read.ok) return isUndecided(read.refusal) ? read : accept({ execution, turn, is: null });
  const { status, finishedAt, updatedAt } = read.value;
  const ended = isFinalStatus(status) ? { status, at: finishedAt ?? updatedAt } : null;
  return accept({ execution, turn, is: { ended } });
}

export function subjectName(tenant: string, key: string): string {
  return `${tenant}/${key}`;
}

function admittedBy(
  enrolled: Exclude<Enrolled, { kind: "doubt" }>,
  item: StartItem,
  { key, reentry }: PlannedSubject,
): Result<AdmittedStart> {
  const under = (subject: Admission): StartItem => ({ ...item, command: { ...item.command, subject } });
  switch (enrolled.kind) {
    case "admitted":
      return accept({ item: under({ key, until: enrolled.until }), turn: enrolled.isNew ? enrolled.turn : null });
    case "repeated":
      return accept({ item: under({ key, until: null }), turn: null });
    case "enrolled":
      return refuse(alreadyEnrolled(item.command.definition.name, key, reentry, enrolled.by));
    case "full":
      return refuse(full(key));
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
      ? `This journey admits each subject once: GET /v1/executions/${execution} shows its execution. With "reentry": "after_finish" a subject can enter again.`
      : `It can enter again after ${execution} has ended: wait for it, or cancel it.`;
  return {
    code: "already_enrolled",
    message: `${subject} ${how} ${journey} since ${since}, in execution ${execution}.`,
    hint,
    details: { execution, subject, reentry, ended: ended?.status ?? null },
  };
}

function full(subject: string): Refusal {
  const message = `${subject} has been in ${SUBJECT_JOURNEYS_MAX} journeys, the limit of stored ones (SUBJECT_JOURNEYS_MAX).`;
  const hint = `DELETE /v1/subjects/${encodeURIComponent(subject)} forgets them all.`;
  return { code: "limit_exceeded", message, hint };
}

function inDoubt(journey: string): Refusal {
  return {
    code: "unavailable",
    message: `Which executions of ${journey} are still running is being checked.`,
    hint: "Send the same request again with the same Idempotency-Key.",
  };
}

type Start = (items: readonly Result<StartItem>[]) => Promise<readonly Result<Reply>[]>;

export async function startAdmitted(
  deps: AdmitDeps,
  plans: readonly Result<PlannedStart>[],
  dryRun: boolean,
  start: Start,
): Promise<readonly Result<Reply>[]> {
  if (plans.every((plan) => !plan.ok || plan.value.subject === undefined)) return start(plans);
  const admitted = await answerEach(deps, plans, async (plan) =>
    plan.ok ? admitStart(deps, plan.value, { isGone: false, dryRun }) : plan,
  );
  const answers = await start(admitted.map(itemOf));
  const each = answers.map((answer, n) => ({ answer, plan: plans[n], admission: admitted[n] }));
  return answerEach(deps, each, async ({ answer, plan, admission }) => {
    if (answer.ok || dryRun || !plan?.ok || !admission?.ok || plan.value.subject === undefined) return answer;
    if (answer.refusal.code === "already_enrolled") return startAnew(deps, plan.value, start);
    const { turn } = admission.value;
    if (turn !== null && hasNotBegun(answer.refusal)) await withdrawStart(deps, plan.value, turn);
    return answer;
  });
}

/**
 * An execution with this id existed and is deleted. The start is then admitted like a new one, by the journey's rules.
 */
async function startAnew(deps: AdmitDeps, plan: PlannedStart, start: Start): Promise<Result<Reply>> {
  const admitted = await admitStart(deps, plan, { isGone: true, dryRun: false });
  if (!admitted.ok) return admitted;
  const [answer] = await start([itemOf(admitted)]);
  if (answer === undefined) throw new Error("a start has an answer");
  return answer;
}

function itemOf(admitted: Result<AdmittedStart>): Result<StartItem> {
  return admitted.ok ? accept(admitted.value.item) : admitted;
}

/**
 * True if the cell certainly did not begin the start. An `already_exists` or `idempotency_conflict` may hide an
 * execution under the same id, and an undecided start may have begun.
 */
function hasNotBegun(refusal: Refusal): boolean {
  if (poolMove.safeParse(refusal.details).success) return true;
  return !isUndecided(refusal) && refusal.code !== "already_exists" && refusal.code !== "idempotency_conflict";
}
