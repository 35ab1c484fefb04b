// Recurring updates: changes only the given fields. It reads the current specification, merges the change, and sends
// the result with the version that was read. If another request changed the specification meanwhile, all three steps
// are repeated.
import { isMet } from "#policy/configuration/precondition.ts";
import type { Precondition } from "#schema/configuration/precondition.ts";
import type { JsonObject } from "#schema/json.ts";
import type { RecurringView, SpecChange } from "#schema/recurring/calls.ts";
import { changedSettings, settingNames, type SettingsChange } from "#schema/recurring/action-settings.ts";
import { RECURRING_UPDATE_TRIES_MAX } from "#schema/limits/recurring-actions.ts";
import type { Metadata, RecurringWork } from "#schema/recurring/spec.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { controlRecurring } from "./control-recurring.ts";
import { joinInvalid, recurringInvalid } from "./invalid-recurring.ts";
import { addDates } from "./recurring-dates.ts";
import { checkChange, cronResult, buildWork, type RequestedSpec, type RequestedWork } from "./recurring-spec.ts";
import { preconditionFailed } from "../named/put-named.ts";
import { recurringTag } from "./put-recurring.ts";
import { detailsWithWork, type SeenRecurring } from "./read-work.ts";
import { readRecurring, type ReadRecurring } from "./recurring-view.ts";

type WorkChange = { readonly [field in KeysOf<RequestedWork>]?: unknown };
type KeysOf<T> = T extends unknown ? Exclude<keyof T, "kind" | "settings"> : never;
export type RequestedChange = Omit<RequestedSpec, "work" | "namespace" | "cron"> & {
  readonly cron?: string | undefined;
  readonly work: WorkChange & {
    readonly provider?: string | undefined;
    readonly actionType?: string | undefined;
    readonly payload?: JsonObject | undefined;
    readonly metadata?: Metadata | undefined;
    readonly dedupKey?: string | null | undefined;
    readonly definition?: string | undefined;
    readonly variables?: JsonObject | undefined;
    readonly settings?: SettingsChange | undefined;
  };
};
export type UpdateRecurring = ReadRecurring & {
  readonly asked: RequestedChange;
  readonly enabled: boolean | null;
  readonly precondition: Precondition;
  readonly reason: string | null;
  readonly dryRun: boolean;
};

export async function updateRecurring(
  deps: Deps,
  caller: TenantCaller,
  { asked, enabled, precondition, reason, dryRun, ...name }: UpdateRecurring,
): Promise<Result<SeenRecurring>> {
  for (let tries = 1; ; tries += 1) {
    const read = await readRecurring(deps, caller, name);
    if (!read.ok) return read;
    if (!isMet(precondition, await recurringTag(read.value)))
      return refuse(preconditionFailed("recurring action", name.id, read.value));
    const change = await buildChange(deps, caller, read.value, asked);
    if (!change.ok) return change;
    const verb = { verb: "update", change: change.value, enabled, asOf: read.value.updatedAt } as const;
    const changed = await controlRecurring(deps, caller, { ...name, verb, key: null, reason, dryRun });
    const isOvertaken = !changed.ok && changed.refusal.details?.["why"] === "changed_meanwhile";
    if (!isOvertaken) return changed.ok ? accept(await detailsWithWork(deps, caller, changed.value)) : changed;
    if (tries === RECURRING_UPDATE_TRIES_MAX) return refuse(overtaken);
  }
}

async function buildChange(
  deps: Deps,
  { tenant }: TenantCaller,
  { id, spec }: RecurringView,
  { cron, timezone, gap, fold, holidays, work: asked, ...fields }: RequestedChange,
): Promise<Result<SpecChange>> {
  const work = await buildChangedWork(deps, tenant, spec.work, asked);
  const valid = joinInvalid([cron === undefined ? accept(null) : cronResult(cron), work], null);
  if (!valid.ok) return valid;
  const { holidays: earlier, ...plain } = { ...spec.rule, ...definedFields({ cron, timezone, gap, fold }) };
  const over = holidays === undefined ? earlier : holidays;
  const rule = { ...plain, ...(over && { holidays: over }) };
  const change: SpecChange = { ...definedFields(fields), rule, ...(work.ok ? { work: work.value } : {}) };
  const dated = await addDates(deps, tenant, { ...spec, ...change });
  if (!dated.ok) return dated;
  const { calendars } = dated.value;
  const result = await checkChange(deps, tenant, id, spec, dated.value);
  return result.ok ? accept({ ...change, ...(calendars && { calendars }) }) : result;
}

const overtaken = {
  code: "state_changed",
  message: "Other requests changed the recurring action at the same time.",
  hint: "Read the recurring action, then send the change again.",
} as const;

async function buildChangedWork(
  deps: Deps,
  tenant: string,
  work: RecurringWork,
  asked: RequestedChange["work"],
): Promise<Result<RecurringWork>> {
  const { settings: change = {}, ...fields } = asked;
  const changes = definedFields({ ...fields, ...change });
  if (Object.keys(changes).length === 0) return accept(work);
  const otherFields =
    work.kind === "action"
      ? ["definition", "variables"]
      : ["provider", "actionType", "payload", "metadata", "dedupKey", ...settingNames];
  const wrongField = otherFields.find((field) => Object.hasOwn(changes, field));
  if (wrongField !== undefined) return refuse(recurringInvalid([fieldOfOtherKind(work, wrongField)]));
  // wrongField has refused fields of the other kind of work, so the merged work has one kind.
  const settings = changedSettings(work.kind === "action" ? work.settings : undefined, change);
  const isSameAction = (["provider", "actionType", "payload"] as const).every((field) => fields[field] === undefined);
  if (work.kind === "action" && isSameAction) return accept(withFields(work, definedFields(fields), settings));
  return buildWork(deps, tenant, { ...work, ...definedFields(fields), settings } as RequestedWork);
}

type ActionWork = Extract<RecurringWork, { kind: "action" }>;

/** Changes fields that do not determine the action. The connection and the template stay those of the creation. */
function withFields(
  { settings: _settings, ...work }: ActionWork,
  { metadata = work.metadata, dedupKey = work.dedupKey }: Pick<RequestedChange["work"], "metadata" | "dedupKey">,
  settings: ActionWork["settings"],
): ActionWork {
  const { actionId, type, config } = work.action;
  const action = { actionId, type, config, ...settings };
  return { ...work, metadata, dedupKey, action, ...(settings === undefined ? {} : { settings }) };
}

function fieldOfOtherKind({ kind }: RecurringWork, field: string) {
  const isSetting = (settingNames as readonly string[]).includes(field);
  const name = isSetting ? field : field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const what = kind === "action" ? "executes an action" : "starts a definition";
  const message = `cannot be changed: this recurring action ${what}`;
  return { pointer: `/${name}`, code: "not_allowed", message, hint: "Create another recurring action instead." };
}

function definedFields<T extends object>(fields: T): { [name in keyof T]: Exclude<T[name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The filter removes undefined values only, so the other fields keep their types.
  return Object.fromEntries(entries) as { [name in keyof T]: Exclude<T[name], undefined> };
}
