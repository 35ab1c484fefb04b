// Recurring commands: sends a command to a recurring action's object, and updates the catalog with the result.
import { putRecurring } from "#catalog/recurring.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Json } from "#schema/json.ts";
import type { RecurringAnswer, RecurringVerb } from "#schema/recurring/calls.ts";
import { rowOf } from "#schema/recurring/row.ts";
import type { OccurrenceRow } from "#schema/recurring/state.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { auditRow } from "../audit/audit.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import {
  noRecurring,
  readRecurring,
  recurringObject,
  recurringView,
  type ReadRecurring,
  type RecurringDetails,
} from "./recurring-view.ts";

export type ControlRecurring = ReadRecurring & {
  readonly verb: RecurringVerb;
  readonly key: string | null;
  readonly reason: string | null;
  readonly dryRun: boolean;
};
export type ChangedRecurring = RecurringDetails & {
  readonly occurrence: OccurrenceRow | null;
  readonly repeated: boolean;
};

export async function controlRecurring(
  deps: Deps,
  caller: TenantCaller,
  { verb, key, reason, dryRun, language, ...name }: ControlRecurring,
): Promise<Result<ChangedRecurring>> {
  const { tenant } = caller;
  if (name.namespace !== null) {
    const read = await readRecurring(deps, caller, name);
    if (!read.ok) return read;
  }
  const command = {
    ...verb,
    inputId: key ?? timeOrderedId("inp", deps.now(), deps.randomBytes(10)),
    reason,
    dryRun,
    fingerprint: key === null ? null : await fingerprint(verb as Json), // A verb contains plain JSON data only.
    audit: auditRow(deps, caller, `recurring.${verb.verb}`, name.id, reason),
  };
  const answered = await callWithRetry(
    () => recurringObject(deps, tenant, name.id).control(command),
    "recurring action",
  );
  const answer = answered.ok ? answered.value : answered;
  if (!answer.ok) return answer.refusal.code === "not_found" ? refuse(noRecurring) : answer;
  if (!dryRun && !answer.value.repeated) await updateRow(deps, answer.value, command.audit);
  const { view, occurrence, repeated } = answer.value;
  return accept({ ...recurringView(view, deps.now(), language), occurrence, repeated });
}

/**
 * Updates the catalog's row. A failure is only logged, because the command has taken effect and the object projects the
 * row later.
 */
async function updateRow(deps: Deps, { view }: RecurringAnswer, audit: ReturnType<typeof auditRow>): Promise<void> {
  try {
    await putRecurring(deps.db, rowOf(view), audit);
  } catch (cause) {
    deps.log({ level: "error", event: "recurring.not_listed", recurring: view.id, message: String(cause) });
  }
}
