// Recurring writes by name: creates a recurring action, or replaces its settings as a whole. An equal body changes
// nothing. The change carries the version that was read, so a concurrent change is read again.
import { findRecurringId } from "#catalog/recurring.ts";
import { isMet } from "#policy/configuration/precondition.ts";
import { immutableFields, isSameWork, specChange } from "#policy/configuration/recurring-change.ts";
import type { Precondition, PutResult } from "#schema/configuration/precondition.ts";
import type { JsonObject } from "#schema/json.ts";
import { RECURRING_UPDATE_TRIES_MAX } from "#schema/limits/recurring-actions.ts";
import type { RecurringView } from "#schema/recurring/calls.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { preconditionFailed, tagOf, type WriteOutcome } from "../named/put-named.ts";
import { controlRecurring } from "./control-recurring.ts";
import { createRecurring } from "./create-recurring.ts";
import { joinInvalid, recurringInvalid } from "./invalid-recurring.ts";
import { addDates } from "./recurring-dates.ts";
import { buildSpec, checkChange, cronResult, unresolvedSpec, type RequestedSpec } from "./recurring-spec.ts";
import { detailsWithWork, type SeenRecurring } from "./read-work.ts";
import { readRecurring, recurringView, type RecurringDetails } from "./recurring-view.ts";

export type PutRecurring = {
  readonly name: string;
  readonly asked: RequestedSpec;
  /** Null: a new recurring action is enabled, and an existing one stays as it is. */
  readonly enabled: boolean | null;
  readonly precondition: Precondition;
  readonly reason: string | null;
  readonly dryRun: boolean;
  readonly language: string;
};
type PutOutcome = Result<WriteOutcome<SeenRecurring>>;

export async function putRecurring(deps: Deps, caller: TenantCaller, input: PutRecurring): Promise<PutOutcome> {
  for (let tries = 1; ; tries += 1) {
    const id = await findRecurringId(deps.db, caller.tenant, input.name);
    const put = id === null ? await create(deps, caller, input) : await replace(deps, caller, id, input);
    if (put.ok || !isOvertaken(put.refusal, id === null) || tries === RECURRING_UPDATE_TRIES_MAX) return put;
  }
}

async function create(
  deps: Deps,
  caller: TenantCaller,
  { name, asked, enabled, precondition, dryRun, language }: PutRecurring,
): Promise<PutOutcome> {
  if (!isMet(precondition, null)) return refuse(preconditionFailed("recurring action", name, null));
  const input = { asked: { ...asked, name }, enabled: enabled ?? true, key: null, dryRun, language };
  const created = await createRecurring(deps, caller, input);
  if (!created.ok) return created;
  return outcomeOf(deps, caller, "created", created.value);
}

async function replace(
  deps: Deps,
  caller: TenantCaller,
  id: string,
  { name, asked, enabled, precondition, reason, dryRun, language }: PutRecurring,
): Promise<PutOutcome> {
  const named = { id, namespace: null, language };
  const read = await readRecurring(deps, caller, named);
  if (!read.ok) return read;
  const before = read.value;
  const tag = await recurringTag(before);
  if (!isMet(precondition, tag)) return refuse(preconditionFailed("recurring action", name, before));
  const spec = await buildReplacement(deps, caller.tenant, before.spec, { ...asked, name });
  if (!spec.ok) return spec;
  const fixed = immutableFields(before.spec, spec.value);
  if (fixed.length > 0) return refuse(recurringInvalid(fixed));
  const change = specChange(before.spec, spec.value);
  const switched = enabled !== null && enabled !== isEnabled(before) ? enabled : null;
  // Newer dates alone are no change of the settings. The recurring action gets them, as it follows its calendars.
  if (Object.keys(change).every((field) => field === "calendars") && switched === null)
    return outcomeOf(deps, caller, "unchanged", recurringView(before, deps.now(), language));
  const checked = await checkChange(deps, caller.tenant, id, before.spec, spec.value);
  if (!checked.ok) return checked;
  const verb = { verb: "update", change, enabled: switched, asOf: before.updatedAt } as const;
  const changed = await controlRecurring(deps, caller, { ...named, verb, key: null, reason, dryRun });
  if (!changed.ok) return changed;
  return outcomeOf(deps, caller, "changed", changed.value);
}

async function outcomeOf(
  deps: Deps,
  caller: TenantCaller,
  result: PutResult,
  { view, coming, words }: RecurringDetails,
): Promise<PutOutcome> {
  const seen = await detailsWithWork(deps, caller, { view, coming, words });
  return accept({ result, view: seen, tag: await recurringTag(view) });
}

/** Builds the new specification. If the body has the stored work, that work is not resolved again. */
async function buildReplacement(
  deps: Deps,
  tenant: string,
  before: RecurringSpec,
  asked: RequestedSpec,
): Promise<Result<RecurringSpec>> {
  const written = unresolvedSpec(asked);
  if (!isSameWork(before.work, written.work)) return buildSpec(deps, tenant, asked);
  const dated = await addDates(deps, tenant, { ...written, work: before.work });
  return dated.ok
    ? joinInvalid([cronResult(asked.cron)], dated.value)
    : joinInvalid([cronResult(asked.cron), dated], written);
}

/** Returns the tag of the settings. The action that the engine derived from the payload is not part of them. */
export function recurringTag({ spec, status }: RecurringView): Promise<string> {
  const { work, calendars: _dates, ...rest } = spec;
  const written = work.kind === "action" ? { ...work, action: null } : work;
  return tagOf({ ...rest, work: written, enabled: isEnabled({ status }) } as JsonObject); // A spec contains JSON only.
}

/** A recurring action that has completed counts as enabled, because no operator has paused it. */
export function isEnabled({ status }: Pick<RecurringView, "status">): boolean {
  return status !== "paused";
}

function isOvertaken({ code, details }: Refusal, wasAbsent: boolean): boolean {
  return wasAbsent ? code === "already_exists" : details?.["why"] === "changed_meanwhile" || code === "not_found";
}
