// Enrolment lists: opens a list of subjects, accepts its parts, and starts it. The operation's object stores the list.
// All lines start the definition version that was current when the list was opened.
import { timeOrderedId } from "#schema/ids.ts";
import { ENROLMENT_PART_BYTES_MAX } from "#schema/limits/subjects/enrolment-lists.ts";
import type { Json } from "#schema/json.ts";
import type { OperationRequest } from "#schema/operation.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { AppendAnswer, LineFailurePage } from "#schema/subject/enrolling.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { keyedOperationId } from "../cells/ids-and-cells.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import { checkStartable, findDefinition } from "../definitions/find-definition.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { noOperation, viewFromObject } from "./operations.ts";
import { beginOperation, insertOperation, type StartedOperation } from "./start-operation.ts";

export type OpenEnrolment = {
  readonly definition: string;
  readonly namespace: string;
  readonly perSecond: number;
  readonly reason: string | null;
  readonly key: string | null;
};

export async function openEnrolment(
  deps: Deps,
  { tenant, actor }: TenantCaller,
  { definition, namespace, perSecond, reason, key }: OpenEnrolment,
): Promise<Result<StartedOperation>> {
  const found = await findDefinition(deps, tenant, definition);
  if (!found.ok) return found;
  const startable = checkStartable(definition, found.value);
  if (!startable.ok) return startable;
  const { ref, subject } = found.value;
  if (subject === null) return refuse(noSubjectRule(definition));
  const createdAt = deps.now();
  const filter = { definition: `${ref.name}@${ref.version}`, namespace };
  const newOperation: OperationRequest = {
    id: key === null ? timeOrderedId("op", createdAt, deps.randomBytes(10)) : await keyedOperationId(tenant, key),
    tenant,
    verb: "enroll",
    filter,
    perSecond,
    reason,
    actor,
    createdAt,
    matched: 0,
    fingerprint: await fingerprint({ verb: "enroll", filter, perSecond, reason }),
  };
  return beginOperation(deps, newOperation, key);
}

export type AppendPart = { readonly operation: string; readonly part: number; readonly lines: readonly Json[] };

export async function appendPart(
  deps: Deps,
  { tenant }: TenantCaller,
  { operation: id, part, lines }: AppendPart,
): Promise<Result<AppendAnswer>> {
  const bytes = new TextEncoder().encode(JSON.stringify(lines)).byteLength;
  if (bytes > ENROLMENT_PART_BYTES_MAX) return refuse(tooLarge(part, bytes));
  const request = { part, lines, fingerprint: await fingerprint(lines) };
  const answered = await callWithRetry(() => deps.operation(`${tenant}/${id}`).append(request), "operation");
  const answer = answered.ok ? answered.value : answered;
  return !answer.ok && answer.refusal.code === "not_found" ? refuse(noOperation(id)) : answer;
}

export async function startList(
  deps: Deps,
  { tenant }: TenantCaller,
  { operation: id }: { readonly operation: string },
): Promise<Result<StartedOperation>> {
  const answered = await callWithRetry(() => deps.operation(`${tenant}/${id}`).start(), "operation");
  const answer = answered.ok ? answered.value : answered;
  if (!answer.ok) return answer.refusal.code === "not_found" ? refuse(noOperation(id)) : answer;
  const { operation, repeated } = answer.value;
  if (!repeated) await insertOperation(deps, operation);
  return accept({ operation: viewFromObject(operation), repeated });
}

export type ListTroubles = { readonly operation: string; readonly cursor: string | null; readonly limit: number };

export async function listTroubles(
  deps: Deps,
  { tenant }: TenantCaller,
  { operation: id, cursor, limit }: ListTroubles,
): Promise<Result<LineFailurePage>> {
  if (cursor !== null && !/^\d{1,6}\.\d{1,6}$/.test(cursor)) return refuse(cursorInvalid);
  const object = deps.operation(`${tenant}/${id}`);
  const read = await callWithRetry(() => object.read(), "operation");
  if (!read.ok) return read;
  if (read.value === null) return refuse(noOperation(id));
  return callWithRetry(() => object.troubles(cursor, limit), "operation");
}

const cursorInvalid = {
  code: "invalid_input",
  message: "This cursor does not belong to this list.",
  hint: "Send the nextCursor of an earlier page unchanged, or omit cursor.",
  errors: [{ pointer: "?cursor", code: "invalid", message: "is not a cursor of this list" }],
} as const;

function noSubjectRule(definition: string) {
  const message = `The definition ${definition} has no subject: only a journey with a subject rule can enroll a list.`;
  const hint =
    'Add "subject" to the journey, a rule such as { "var": "execution.variables.customerId" }, and publish it. POST /v1/executions/batch starts executions of any definition, up to 100 at a time.';
  return { code: "invalid_input", message, hint } as const;
}

function tooLarge(part: number, size: number) {
  const message = `Part ${part} has ${size} bytes; the limit is ${ENROLMENT_PART_BYTES_MAX} (ENROLMENT_PART_BYTES_MAX).`;
  return { code: "limit_exceeded", message, hint: "Split the lines into two parts." } as const;
}
