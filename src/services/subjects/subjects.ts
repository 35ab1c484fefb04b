// Subjects: gets and erases them, and reports ended journeys to them.
import type { Confirmation, OutboxMessage } from "#schema/engine/outbox.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { SubjectView, SubjectJourney } from "#schema/subject/calls.ts";
import { recordAudit } from "../audit/audit.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { findNextOfSubject, removeSubjectInCatalog } from "../executions/executions.ts";
import { sha256 } from "../hash.ts";
import { subjectName, lookUpEnrolled } from "./admit-starts.ts";

export type NextAction = {
  readonly execution: string;
  readonly definition: string;
  readonly at: number;
  readonly node: string;
};
export type SubjectDetails = SubjectView & { readonly key: string; readonly next: NextAction | null };

export async function getSubject(deps: Deps, caller: TenantCaller, key: string): Promise<Result<SubjectDetails>> {
  const answered = await callWithRetry(() => deps.subject(subjectName(caller.tenant, key)).read(), "subject");
  if (!answered.ok) return answered;
  const { journeys, caps } = answered.value;
  if (journeys.length + caps.length === 0) return refuse(unknownSubject(key));
  const row = await findNextOfSubject(deps, caller.tenant, key);
  const next =
    row?.nextAt == null || row.nextNode == null
      ? null
      : { execution: row.id, definition: row.definitionName, at: row.nextAt, node: row.nextNode };
  return accept({ key, journeys, caps, next });
}

function unknownSubject(key: string) {
  return {
    code: "not_found",
    message: `The subject ${key} has no journeys and no caps.`,
    hint: 'The engine creates a subject when a journey about it starts, or when an action with a cap runs for it. The key is the result of the field "subject" of the journey or cap.',
  } as const;
}

export type EraseSubject = { readonly key: string; readonly reason: string | null; readonly dryRun: boolean };
export type ErasedSubject = {
  readonly key: string;
  /** The journeys that the subject could enter only once. Once the subject is erased, it can enter them again. */
  readonly once: readonly string[];
  /** The ended executions of the subject. Their histories may still exist. */
  readonly executions: readonly string[];
};

export async function eraseSubject(
  deps: Deps,
  caller: TenantCaller,
  { key, reason, dryRun }: EraseSubject,
): Promise<Result<ErasedSubject>> {
  const { tenant } = caller;
  const object = deps.subject(subjectName(tenant, key));
  const view = await callWithRetry(() => object.read(), "subject");
  if (!view.ok) return view;
  const { journeys } = view.value;
  for (const journey of journeys) {
    const found = await Promise.all(openEnrolments(journey).map((each) => lookUpEnrolled(deps, tenant, each)));
    const known = found.flatMap((enrolled) => (enrolled.ok ? [enrolled.value] : []));
    if (known.length > 0) await object.recordFindings(journey.journey, known);
  }
  const live = await callWithRetry(() => object.erase(dryRun), "subject");
  if (!live.ok) return live;
  if (live.value.length > 0) return refuse(subjectLive(key, live.value));
  if (!dryRun) {
    await removeSubjectInCatalog(deps, tenant, key);
    // The audit entry is kept longer than the subject's data. So it contains a hash and not the key.
    await recordAudit(
      deps,
      caller,
      "subject.erase",
      `subject:${(await sha256(`${tenant}\n${key}`)).slice(0, 32)}`,
      reason,
    );
  }
  const once = journeys.filter(({ reentry }) => reentry === "once").map(({ journey }) => journey);
  const executions = journeys.flatMap(({ enrolments }) => enrolments.map(({ execution }) => execution));
  return accept({ key, once, executions });
}

function openEnrolments({ enrolments }: SubjectJourney) {
  return enrolments.filter(({ ended }) => ended === null);
}

function subjectLive(key: string, live: readonly SubjectJourney[]) {
  const executions = live.flatMap((journey) => openEnrolments(journey).map(({ execution }) => execution));
  return {
    code: "execution_live",
    message: `The subject ${key} is still in ${live.map(({ journey }) => journey).join(", ")}: ${executions.slice(0, 10).join(", ")}.`,
    hint: "Cancel these executions first. If an execution did not start, its permission to start expires after a minute.",
    details: { executions: executions.slice(0, 100) },
  } as const;
}

/** Reports the execution's end to its subjects. Throws if a subject's object cannot be reached. */
export async function notifySubject(
  deps: Pick<Deps, "subject">,
  { tenant, id: execution, createdAt: incarnation, definition, status, finishedAt }: ExecutionState,
  messages: readonly OutboxMessage[],
): Promise<readonly Confirmation[]> {
  if (finishedAt === null || !isFinalStatus(status)) return [];
  const end = { journey: definition.name, execution, incarnation, end: { status, at: finishedAt } };
  return Promise.all(
    messages.map(async ({ key }): Promise<Confirmation> => {
      await deps.subject(subjectName(tenant, key)).endEnrolment(end);
      return { kind: "subject_ended", key };
    }),
  );
}
