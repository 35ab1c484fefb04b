// Recurring actions as API objects, and their request bodies as internal data.
import type { RecurringHealth, RecurringView } from "#schema/recurring/calls.ts";
import type { RecurringRow } from "#schema/recurring/row.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";
import type { OccurrenceRow } from "#schema/recurring/state.ts";
import type { SeenOccurrence, WorkHistory } from "#schema/recurring/work-outcome.ts";
import { changedSettings, settingNames, type SettingsChange } from "#schema/recurring/action-settings.ts";
import { presentStoredError } from "../action-error.ts";
import type { CreateRecurringBody, UpdateRecurringBody } from "./bodies.ts";
import type {
  ApiChangedOccurrence,
  ApiComingOccurrence,
  ApiCreatedRecurring,
  ApiListedRecurring,
  ApiOccurrence,
  ApiRecurringAction,
  ApiSwitchedRecurring,
  ApiUndeletedRecurring,
} from "./shape.ts";

type Coming = {
  readonly at: number;
  readonly local: string;
  readonly utcOffset: string;
  readonly dst: ApiComingOccurrence["dst"];
  readonly fireAt: number;
  readonly runsAt: number | null;
  readonly isSkipped: boolean;
  readonly movedFrom: string | null;
};
type Shown = { readonly view: RecurringView; readonly coming: readonly Coming[]; readonly words: string | null };
type ShownWithWork = Shown & { readonly view: { readonly work: WorkHistory } };
type Changed = Shown & { readonly occurrence: OccurrenceRow | null; readonly repeated: boolean };
type Listed = Omit<RecurringRow, "tenant" | "seq" | "fingerprint"> & {
  readonly health: RecurringHealth;
  readonly work: WorkHistory;
  readonly words: string | null;
};

/** Formats an epoch time as an ISO 8601 instant without milliseconds. */
export function second(at: number): string;
export function second(at: number | null): string | null;
export function second(at: number | null): string | null {
  return at === null ? null : `${new Date(at).toISOString().slice(0, 19)}Z`;
}

export function presentCreated(dryRun: boolean) {
  return ({ view, coming, words, repeated }: Shown & { readonly repeated: boolean }): ApiCreatedRecurring => ({
    id: view.id,
    recurring_id: view.id,
    name: view.spec.name ?? null,
    next_execution_at: second(view.next?.nominal ?? null),
    next_execution: second(view.next?.nominal ?? null),
    cron_expr: view.spec.rule.cron,
    timezone: view.spec.rule.timezone,
    enabled: view.status === "active",
    in_words: words,
    upcoming: coming.map(presentComing),
    repeated,
    dry_run: dryRun,
  });
}

export function presentRecurring({ view, coming, words }: ShownWithWork): ApiRecurringAction {
  const { spec, pause, waiting, lastError } = view;
  const { work, startsAt, endsAt, maxExecutions, rule, overlap, catchUp } = spec;
  return {
    ...presentCommon({ ...view, nextAt: view.next?.nominal ?? null, lastAt: view.lastExecutedAt, words }),
    namespace: spec.namespace,
    tenant: view.tenant,
    gap: rule.gap,
    fold: rule.fold,
    holidays: rule.holidays ?? null,
    overlap,
    catch_up: catchUp,
    ...templatesOf(work),
    updated_at: second(view.updatedAt),
    starts_at: second(startsAt),
    ends_at: second(endsAt),
    max_executions: maxExecutions,
    grace_seconds: secondsOf(spec.graceMs),
    catch_up_window_seconds: secondsOf(spec.catchUpWindowMs),
    jitter_seconds: secondsOf(spec.jitterMs),
    paused_at: second(pause?.at ?? null),
    waiting_since: second(waiting?.at ?? null),
    last_error: lastError,
    upcoming: coming.map(presentComing),
  };
}

function templatesOf(work: RecurringSpec["work"]): Pick<ApiRecurringAction, "action_template" | "definition_template"> {
  if (work.kind === "definition") {
    const { definition, variables } = work;
    return { action_template: null, definition_template: { definition, variables } };
  }
  const { provider, actionType: action_type, payload, metadata, dedupKey: dedup_key, settings } = work;
  const action_template = { provider, action_type, payload, metadata: { ...metadata }, dedup_key, ...settings };
  return { action_template, definition_template: null };
}

type Common = Pick<Listed, "id" | "spec" | "status" | "statusReason" | "nextAt" | "lastAt" | "count" | "failed"> &
  Pick<Listed, "createdAt" | "health" | "words" | "lastError" | "work">;

function presentCommon(of: Common) {
  const { description, labels, rule } = of.spec;
  return {
    id: of.id,
    name: of.spec.name ?? null,
    cron_expr: rule.cron,
    timezone: rule.timezone,
    enabled: of.status === "active",
    description,
    next_execution_at: second(of.nextAt),
    last_executed_at: second(of.lastAt),
    execution_count: of.count,
    created_at: second(of.createdAt),
    labels: { ...labels },
    status: of.status,
    status_reason: of.statusReason,
    failed_count: of.failed,
    health: { ...of.health, last_outcome: of.work.lastOutcome, failures_in_a_row: of.work.failuresInARow },
    recent_outcomes: of.work.occurrences.map(presentOutcome),
    error: presentStoredError({ message: of.lastError }),
    in_words: of.words,
  };
}

function presentOutcome({ nominal, execution, outcome, error }: SeenOccurrence) {
  const message = presentStoredError({ message: error });
  return { scheduled_for: second(nominal), action_id: execution, outcome, error: message };
}

export function presentListed(row: Listed): ApiListedRecurring {
  const { work, namespace } = row.spec;
  const [provider, action_type] = work.kind === "action" ? [work.provider, work.actionType] : [null, null];
  const definition = work.kind === "definition" ? work.definition : null;
  return { ...presentCommon(row), provider, action_type, definition, namespace };
}

export function presentUndeleted(row: Listed): ApiUndeletedRecurring {
  return { ...presentListed(row), dry_run: true };
}

export function presentSwitched({ view }: Shown): ApiSwitchedRecurring {
  return { id: view.id, enabled: view.status === "active", next_execution_at: second(view.next?.nominal ?? null) };
}

export function presentChanged(dryRun: boolean) {
  return ({ view, occurrence, repeated }: Changed): ApiChangedOccurrence => ({
    id: view.id,
    occurrence: occurrence && presentOccurrence(occurrence),
    next_execution_at: second(view.next?.nominal ?? null),
    repeated,
    dry_run: dryRun,
  });
}

export function presentOccurrence(row: OccurrenceRow): ApiOccurrence {
  return {
    scheduled_for: second(row.nominal),
    until: second(row.until),
    count: row.count,
    count_is_lower_bound: row.isCapped,
    outcome: row.outcome,
    reason: row.reason,
    dispatched_at: second(row.dispatchedAt),
    action_id: row.execution,
    error: presentStoredError({ code: row.reason, message: row.error }),
    recorded_at: second(row.recordedAt),
  };
}

export function presentComing({ at, local, utcOffset, dst, fireAt, runsAt, ...of }: Coming): ApiComingOccurrence {
  const instants = { goes_at: second(fireAt), runs_at: second(runsAt) };
  const effects = { moved_from: of.movedFrom, skipped: of.isSkipped };
  return { at: second(at), local, utc_offset: utcOffset, dst, ...instants, ...effects };
}

/**
 * Converts the schedule fields of a request to internal fields. If the request lacks a field, the result lacks it too.
 */
export function insideTiming(body: UpdateRecurringBody) {
  return {
    timezone: body.timezone,
    gap: body.gap,
    fold: body.fold,
    holidays: body.holidays,
    description: body.description,
    labels: body.labels,
    overlap: body.overlap,
    catchUp: body.catch_up,
    maxExecutions: body.max_executions,
    startsAt: momentOf(body.starts_at),
    endsAt: momentOf(body.ends_at),
    graceMs: msOf(body.grace_seconds),
    catchUpWindowMs: msOf(body.catch_up_window_seconds),
    jitterMs: msOf(body.jitter_seconds),
  };
}

export function insideWork({ definition, variables, metadata, ...body }: CreateRecurringBody) {
  if (definition !== undefined) return { kind: "definition", definition, variables } as const;
  const { provider = "", action_type: actionType = "", payload = {}, dedup_key: dedupKey } = body;
  const settings = changedSettings(undefined, settingsOf(body));
  return { kind: "action", provider, actionType, payload, metadata, dedupKey, settings } as const;
}

/** Converts a complete request to internal fields. */
export function insideRequest({ name: _name, tenant: _tenant, namespace, enabled, ...body }: CreateRecurringBody) {
  const asked = { ...insideTiming(body), cron: body.cron_expr, namespace, work: insideWork(body) };
  return { asked, enabled: enabled ?? null };
}

export function insideWorkChange({ provider, action_type, payload, dedup_key, ...body }: UpdateRecurringBody) {
  const { definition, variables, metadata } = body;
  const settings = settingsOf(body);
  return { provider, actionType: action_type, payload, dedupKey: dedup_key, definition, variables, metadata, settings };
}

/** The settings of the action that the request names. A setting that is null was named, too. */
function settingsOf(body: { readonly [name in keyof SettingsChange]?: unknown }): SettingsChange {
  const named = settingNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]));
  return Object.fromEntries(named) as SettingsChange; // The entries are fields of the body, whose schema has checked them.
}

/** Parses an instant and drops its milliseconds, because occurrences are at full seconds. */
function momentOf(text: string | null | undefined): number | null | undefined {
  return typeof text === "string" ? Date.parse(text) : text;
}

function msOf(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

function secondsOf(ms: number): number {
  return ms / 1_000;
}
