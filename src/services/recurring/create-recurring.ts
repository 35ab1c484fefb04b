// Recurring creation: first inserts the row, which counts against the tenant's quota. Then opens the object, which sets
// its alarm. The request's key determines the id. So a repeat finds both the row and the object, or creates the missing
// one.
import { findRecurring, findRecurringId, insertRecurring, type StoredRecurring } from "#catalog/recurring.ts";
import { openRecurring, viewRecurring } from "#policy/calendar/recurring.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { JsonObject } from "#schema/json.ts";
import type { RecurringTerms } from "#schema/recurring/calls.ts";
import { rowOf } from "#schema/recurring/row.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { keyedRecurringId } from "../cells/ids-and-cells.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { nameTaken } from "../named/named-noun.ts";
import { isFull, quotaFull, warnWhenNear } from "../quotas/stored-quota.ts";
import { auditDetails } from "./audit-details.ts";
import { termsOfRow } from "./recurring-dates.ts";
import { newSpec, type RequestedSpec } from "./recurring-spec.ts";
import { recurringObject, recurringView, recurringDisabled, type RecurringDetails } from "./recurring-view.ts";

export type CreateRecurring = {
  readonly asked: RequestedSpec;
  readonly enabled: boolean;
  readonly key: string | null;
  readonly dryRun: boolean;
  /** The `Accept-Language` header, for the description of the cron expression. */
  readonly language: string;
};
export type CreatedRecurring = RecurringDetails & { readonly repeated: boolean };

export async function createRecurring(
  deps: Deps,
  caller: TenantCaller,
  input: CreateRecurring,
): Promise<Result<CreatedRecurring>> {
  if (!deps.isRecurringOn) return refuse(recurringDisabled);
  const { asked, enabled, key, dryRun, language } = input;
  const { tenant } = caller;
  const now = deps.now();
  const id = key === null ? timeOrderedId("rec", now, deps.randomBytes(10)) : await keyedRecurringId(tenant, key);
  const digest = await fingerprint({ asked: asked as JsonObject, enabled }); // The request body was parsed from JSON.
  const earlier = key === null || dryRun ? null : await findRecurring(deps.db, tenant, id);
  if (earlier !== null)
    return earlier.fingerprint === digest ? answerRepeat(deps, earlier, language) : refuse(conflict);
  const spec = await newSpec(deps, tenant, id, asked);
  if (!spec.ok) return spec;
  const terms = { tenant, id, fingerprint: digest, spec: spec.value, createdAt: now, enabled };
  const opened = openRecurring(terms, now);
  if (!opened.ok) return opened;
  if (dryRun && asked.name !== undefined && (await findRecurringId(deps.db, tenant, asked.name)) !== null)
    return refuse(nameTaken({ one: "a recurring action" }, asked.name));
  if (dryRun) return accept({ ...recurringView(viewRecurring(opened.value, now), now, language), repeated: false });
  const audit = auditRow(deps, caller, "recurring.create", id, null, auditDetails(spec.value, enabled));
  const inserted = await insertRecurring(deps.db, { ...rowOf(opened.value), seq: 0 }, audit);
  if (!inserted.isMade && !isFull(inserted)) {
    // If a concurrent request with the same key has inserted the row first, this request gets the answer of a repeat.
    if ((await findRecurring(deps.db, tenant, id)) !== null) return createRecurring(deps, caller, input);
    return refuse(nameTaken({ one: "a recurring action" }, asked.name ?? ""));
  }
  if (!inserted.isMade) return refuse(quotaFull("recurring", inserted));
  warnWhenNear(deps, tenant, "recurring", inserted);
  deps.log({ level: "info", event: "recurring.create", tenant, recurring: id });
  return openObject(deps, terms, language, false);
}

/**
 * Answers a repeat like the first request. If the first request failed before it opened the object, the object is
 * opened now.
 */
async function answerRepeat(deps: Deps, row: StoredRecurring, language: string): Promise<Result<CreatedRecurring>> {
  if (row.deletedAt !== null) return refuse(deletedSince);
  return openObject(deps, await termsOfRow(deps, row), language, true);
}

async function openObject(
  deps: Deps,
  terms: RecurringTerms,
  language: string,
  repeated: boolean,
): Promise<Result<CreatedRecurring>> {
  const answered = await callWithRetry(
    () => recurringObject(deps, terms.tenant, terms.id).open(terms),
    "recurring action",
  );
  const answer = answered.ok ? answered.value : answered;
  if (!answer.ok) return answer;
  return accept({ ...recurringView(answer.value.view, deps.now(), language), repeated });
}

const conflict = {
  code: "idempotency_conflict",
  message: "This Idempotency-Key was already used for another recurring action.",
  hint: "Use a new key for a new request. To repeat a request, send exactly the same body.",
  errors: [{ pointer: "Idempotency-Key", code: "conflict", message: "was already used for another recurring action" }],
} as const;

const deletedSince = {
  code: "already_exists",
  message: "The recurring action created with this Idempotency-Key was deleted.",
  hint: "Use a new key for a new recurring action.",
} as const;
