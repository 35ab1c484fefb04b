// Operation starts: begins an operation over many dead letters, which the operation's object executes at its pace. An
// Idempotency-Key determines the operation's id, so that the object itself detects a repeat.
import type { DeadLetterFilters } from "#schema/dead-letter-filter.ts";
import { countLiveOperations, findOperation, storeOperation, type StoredOperation } from "#catalog/operations.ts";
import type { JsonObject } from "#schema/json.ts";
import { OPERATIONS_RUNNING_MAX } from "#schema/limits/upkeep/bulk-operations.ts";
import type { Operation, OperationRequest, OperationVerb, OperationView } from "#schema/operation.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { countDeadLetters } from "../dead-letters/dead-letters.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { auditsOf, deadLettersOf, rowOf, viewFromObject, viewFromRow, type OperationDetails } from "./operations.ts";
import { timeOrderedId } from "#schema/ids.ts";
import { keyedOperationId } from "../cells/ids-and-cells.ts";
import { callWithRetry } from "../cells/call-cell.ts";

export type StartOperation = {
  readonly verb: OperationVerb;
  readonly filter: DeadLetterFilters;
  readonly perSecond: number;
  readonly reason: string | null;
  readonly key: string | null;
};
export type StartedOperation = { readonly operation: OperationDetails; readonly repeated: boolean };

export async function startOperation(
  deps: Deps,
  caller: TenantCaller,
  input: StartOperation,
): Promise<Result<StartedOperation>> {
  return beginOperation(deps, await buildTerms(deps, caller, input), input.key);
}

export async function beginOperation(
  deps: Deps,
  newOperation: OperationRequest,
  key: string | null,
): Promise<Result<StartedOperation>> {
  const object = deps.operation(`${newOperation.tenant}/${newOperation.id}`);
  const earlier = key === null ? null : await answerEnded(deps, object, newOperation);
  if (earlier !== null) return earlier;
  if ((await countLiveOperations(deps.db, newOperation.tenant)) >= OPERATIONS_RUNNING_MAX) {
    const read = await callWithRetry(() => object.read(), "operation");
    if (!read.ok) return read;
    // A repeat of a request that has begun an operation gets its answer, even if too many operations run now.
    if (read.value === null) return refuse(tooMany);
  }
  const answered = await callWithRetry(() => object.open(newOperation), "operation");
  const opened = answered.ok ? answered.value : answered;
  if (!opened.ok) return opened;
  const { operation, repeated } = opened.value;
  if (!repeated) await insertOperation(deps, operation);
  return accept({ operation: viewFromObject(operation), repeated });
}

/**
 * Answers a repeat from the catalog if the operation has ended, because the catalog stores it longer than its object
 * does. Returns null if the object must be asked.
 */
async function answerEnded(
  deps: Deps,
  object: Operation,
  { tenant, id, fingerprint: requested }: OperationRequest,
): Promise<Result<StartedOperation> | null> {
  const row = await findOperation(deps.db, tenant, id);
  if (row === null || row.status === "running") return null;
  const read = await callWithRetry(() => object.read(), "operation");
  if (!read.ok) return read;
  if (read.value !== null) return null;
  const isSame = (await digestOf(row)) === requested;
  return isSame ? accept({ operation: viewFromRow(row), repeated: true }) : refuse(conflict);
}

const conflict = {
  code: "idempotency_conflict",
  message: "This Idempotency-Key was already used for another operation.",
  hint: "Use a new key for a new operation. To repeat a request, send exactly the same body.",
  errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was already used for another operation" }],
} as const;

const tooMany = {
  code: "limit_exceeded",
  message: `A tenant can have at most ${OPERATIONS_RUNNING_MAX} running or open operations (OPERATIONS_RUNNING_MAX).`,
  hint: "Wait until an operation has ended, or abort an operation: GET /v1/operations?status=running lists them.",
  details: { field: "operations", limit: OPERATIONS_RUNNING_MAX },
} as const;

async function buildTerms(
  deps: Deps,
  { tenant, actor }: TenantCaller,
  { key, verb, perSecond, reason, filter: requested }: StartOperation,
): Promise<OperationRequest> {
  const createdAt = deps.now();
  // The fingerprint is computed from JSON, so undefined fields are removed first.
  const filter = Object.fromEntries(
    Object.entries(requested).filter(([, value]) => value !== undefined),
  ) as JsonObject & DeadLetterFilters; // The filter removed the undefined fields, so the object is JSON.
  return {
    id: key === null ? timeOrderedId("op", createdAt, deps.randomBytes(10)) : await keyedOperationId(tenant, key),
    tenant,
    verb,
    filter,
    perSecond,
    reason,
    actor,
    createdAt,
    ...(await countMatched(deps, tenant, { filter, createdAt })),
    fingerprint: await digestOf({ verb, filter, perSecond, reason }),
  };
}

/** Counts the matching dead letters. Handled dead letters are counted too, although the operation skips them. */
async function countMatched(deps: Deps, tenant: string, newOperation: Pick<OperationRequest, "filter" | "createdAt">) {
  const selected = deadLettersOf(newOperation);
  const [waiting, handled] = await Promise.all([
    countDeadLetters(deps, tenant, selected),
    newOperation.filter.handled === undefined ? countDeadLetters(deps, tenant, { ...selected, handled: true }) : 0,
  ]);
  return { matched: waiting + handled, ...(handled > 0 ? { handled } : {}) };
}

type Digested = Pick<OperationRequest, "verb" | "filter" | "perSecond" | "reason"> & {
  readonly asked?: StoredOperation["asked"];
};

export function digestOf({ verb, filter, perSecond, reason, asked: requested }: Digested): Promise<string> {
  const withCommand = requested == null ? {} : { asked: requested as JsonObject };
  // The JSON of an operation has no undefined fields, so the filter is JSON.
  return fingerprint({ verb, filter: filter as JsonObject, perSecond, reason, ...withCommand });
}

/**
 * Stores the operation's row. A failure is only logged: the operation has already begun, and the row is stored again
 * when it ends.
 */
export async function insertOperation(deps: Deps, operation: OperationView): Promise<void> {
  try {
    await storeOperation(deps.db, rowOf(operation), auditsOf(operation));
  } catch (cause) {
    deps.log({ level: "error", event: "operation_not_listed", operation: operation.id, message: String(cause) });
  }
}
