// The specification of a recurring action: parses it from the request, and checks it.
import { parseCron } from "#kernel/calendar/cron.ts";
import { isSameWork } from "#policy/configuration/recurring-change.ts";
import { datesOf } from "#policy/calendar/follow.ts";
import { shortestGapMs } from "#policy/calendar/shortest-gap.ts";
import { defaults } from "#schema/defaults.ts";
import type { WrittenHolidays } from "#schema/definition/holidays.ts";
import type { JsonObject } from "#schema/json.ts";
import { recurringDefaults } from "#schema/recurring/defaults.ts";
import type { ActionSettings } from "#schema/recurring/action-settings.ts";
import { isSameRule, type Metadata, type RecurringSpec, type RecurringWork } from "#schema/recurring/spec.ts";
import { accept, refuse, type Result, type Finding } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { previewStart } from "../executions/preview-start.ts";
import { checkRecurring } from "../size-limits.ts";
import { payloadFindings } from "./check-payload.ts";
import { joinInvalid, recurringInvalid } from "./invalid-recurring.ts";
import { planOccurrence } from "./dispatch-occurrences.ts";
import { readConfig } from "./recurring.ts";
import { addDates } from "./recurring-dates.ts";
import { resolveAction } from "./resolve-action.ts";

/** The requested specification, with the API's field names. A field is absent if the request does not contain it. */
export type RequestedSpec = {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly description?: string | null | undefined;
  readonly labels?: Metadata | undefined;
  readonly cron: string;
  readonly timezone?: string | undefined;
  readonly gap?: RecurringSpec["rule"]["gap"] | undefined;
  readonly fold?: RecurringSpec["rule"]["fold"] | undefined;
  /** Null removes them. */
  readonly holidays?: WrittenHolidays | null | undefined;
  readonly startsAt?: number | null | undefined;
  readonly endsAt?: number | null | undefined;
  readonly maxExecutions?: number | null | undefined;
  readonly overlap?: RecurringSpec["overlap"] | undefined;
  readonly catchUp?: RecurringSpec["catchUp"] | undefined;
  readonly graceMs?: number | undefined;
  readonly catchUpWindowMs?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly work: RequestedWork;
};

export type RequestedWork =
  | {
      readonly kind: "action";
      readonly provider: string;
      readonly actionType: string;
      readonly payload: JsonObject;
      readonly metadata?: Metadata | undefined;
      readonly dedupKey?: string | null | undefined;
      readonly settings?: ActionSettings | undefined;
    }
  | { readonly kind: "definition"; readonly definition: string; readonly variables?: JsonObject | undefined };

/** Builds and checks the specification of a new recurring action. The refusal contains all findings. */
export async function newSpec(
  deps: Deps,
  tenant: string,
  id: string,
  asked: RequestedSpec,
): Promise<Result<RecurringSpec>> {
  const cron = cronResult(asked.cron);
  const work = await buildWork(deps, tenant, asked.work);
  const built = work.ok ? withWork(asked, work.value) : unresolvedSpec(asked);
  const dated = await addDates(deps, tenant, built);
  const spec = dated.ok ? dated.value : built;
  const checked = await checkSpec(deps, tenant, id, spec, { rule: cron.ok, work: work.ok && dated.ok });
  return joinInvalid([cron, work, dated, checked], spec);
}

/** Builds a specification. The refusal contains the findings about the cron expression and about the work. */
export async function buildSpec(deps: Deps, tenant: string, asked: RequestedSpec): Promise<Result<RecurringSpec>> {
  const work = await buildWork(deps, tenant, asked.work);
  const dated = await addDates(deps, tenant, work.ok ? withWork(asked, work.value) : unresolvedSpec(asked));
  return dated.ok
    ? joinInvalid([cronResult(asked.cron), work], dated.value)
    : joinInvalid([cronResult(asked.cron), work, dated], unresolvedSpec(asked));
}

/** Returns the specification without looking up the account of its action. It is complete enough to be compared. */
export function unresolvedSpec(asked: RequestedSpec): RecurringSpec {
  if (asked.work.kind === "definition")
    return withWork(asked, { ...asked.work, variables: asked.work.variables ?? {} });
  const { provider, actionType, payload, metadata = {}, dedupKey = null, settings } = asked.work;
  const action = { actionId: actionType, type: provider, config: payload };
  const work = { kind: "action", provider, actionType, payload, metadata, dedupKey, action } as const;
  return withWork(asked, settings === undefined ? work : { ...work, settings });
}

function withWork(asked: RequestedSpec, work: RecurringWork): RecurringSpec {
  const { timezone = "UTC", gap = recurringDefaults.gap, fold = recurringDefaults.fold, holidays } = asked;
  return {
    ...(asked.name === undefined ? {} : { name: asked.name }),
    namespace: asked.namespace ?? defaults.namespace,
    description: asked.description ?? null,
    labels: asked.labels ?? {},
    rule: { cron: asked.cron, timezone, gap, fold, ...(holidays && { holidays }) },
    startsAt: asked.startsAt ?? null,
    endsAt: asked.endsAt ?? null,
    maxExecutions: asked.maxExecutions ?? null,
    overlap: asked.overlap ?? recurringDefaults.overlap[work.kind],
    catchUp: asked.catchUp ?? recurringDefaults.catchUp,
    graceMs: asked.graceMs ?? recurringDefaults.graceMs,
    catchUpWindowMs: asked.catchUpWindowMs ?? recurringDefaults.catchUpWindowMs,
    jitterMs: asked.jitterMs ?? 0,
    work,
  };
}

export async function buildWork(deps: Deps, tenant: string, asked: RequestedWork): Promise<Result<RecurringWork>> {
  if (asked.kind === "definition") {
    const { definition, variables = {} } = asked;
    return accept({ kind: "definition", definition, variables });
  }
  const planned = await resolveAction(deps, tenant, asked);
  if (!planned.ok) return refuse(recurringInvalid([planned.finding]));
  const { provider, actionType, payload, metadata = {}, dedupKey = null, settings } = asked;
  const work = { kind: "action", provider, actionType, payload, metadata, dedupKey } as const;
  if (settings === undefined) return accept({ ...work, action: planned.action });
  return accept({ ...work, settings, action: { ...planned.action, ...settings } });
}

export function cronResult(cron: string): Result<null> {
  const findings = cronFindings(cron);
  return findings.length === 0 ? accept(null) : refuse(recurringInvalid(findings));
}

/** Returns the findings about the cron expression. */
export function cronFindings(cron: string): readonly Finding[] {
  const parsed = parseCron(cron);
  return parsed.ok
    ? []
    : [
        {
          pointer: "/cron_expr",
          code: "invalid_cron",
          message: parsed.message,
          ...(parsed.hint ? { hint: parsed.hint } : {}),
        },
      ];
}

/**
 * Checks the specification. A start of the first occurrence is tried as a dry run, which shows whether the action or
 * definition is valid.
 */
async function checkSpec(
  deps: Deps,
  tenant: string,
  id: string,
  spec: RecurringSpec,
  changed: ChangedParts,
): Promise<Result<null>> {
  const { calendars: _dates, ...written } = spec;
  const sized = checkRecurring(written);
  if (!sized.ok) return sized;
  const often = changed.rule ? await intervalFindings(deps, tenant, spec) : [];
  const findings = [...often, ...endFindings(deps, spec)];
  const timing = findings.length === 0 ? accept(null) : refuse(recurringInvalid(findings));
  const work = changed.work ? await checkWork(deps, tenant, id, spec) : accept(null);
  return joinInvalid([timing, work], null);
}

/**
 * Checks the parts in which `after` differs from `before`. An unchanged part, such as an `endsAt` that has passed, must
 * not prevent a change of other parts.
 */
export function checkChange(
  deps: Deps,
  tenant: string,
  id: string,
  before: RecurringSpec,
  after: RecurringSpec,
): Promise<Result<null>> {
  const checked = after.endsAt === before.endsAt ? { ...after, endsAt: null } : after;
  const changed = { rule: !isSameRule(before.rule, after.rule), work: !isSameWork(before.work, after.work) };
  return checkSpec(deps, tenant, id, checked, changed);
}

/** The parts of a specification that are checked. An update checks only the parts that it changes. */
type ChangedParts = { readonly rule: boolean; readonly work: boolean };

async function checkWork(deps: Deps, tenant: string, id: string, spec: RecurringSpec): Promise<Result<null>> {
  const { namespace, work, rule, calendars } = spec;
  const planned = await planOccurrence(
    deps,
    { tenant, id, namespace, work, timezone: rule.timezone, ...(calendars && { calendars: datesOf(calendars) }) },
    { id: "check", nominal: 0, at: deps.now() },
  );
  if (!planned.ok) return refuse(withRequestPointers(planned.refusal));
  const started = previewStart(deps, planned.value);
  if (!started.ok) return refuse(withRequestPointers(started.refusal));
  const payload = await payloadFindings(deps, planned.value);
  if (!payload.ok) return refuse(withRequestPointers(payload.refusal));
  return payload.value.length === 0 ? accept(null) : refuse(withRequestPointers(recurringInvalid(payload.value)));
}

async function intervalFindings(deps: Deps, tenant: string, spec: RecurringSpec): Promise<readonly Finding[]> {
  const { intervalMs: leastMs } = await readConfig(deps, { tenant });
  const gapMs = shortestGapMs(spec, deps.now());
  if (gapMs === null || gapMs >= leastMs) return [];
  const message = `has occurrences only ${gapMs / 1_000} s apart; the minimum is ${leastMs / 1_000} s (recurringPerMinute)`;
  const hint = 'raise the limit with the root key: PATCH /v1/tenants/{id} with {"limits":{"recurringPerMinute":…}}';
  return [{ pointer: "/cron_expr", code: "too_often", message, hint }];
}

function endFindings({ now }: Pick<Deps, "now">, { startsAt, endsAt }: RecurringSpec): readonly Finding[] {
  if (endsAt === null) return [];
  if (endsAt <= now()) return [{ pointer: "/ends_at", code: "in_the_past", message: "must be in the future" }];
  if (startsAt === null || startsAt < endsAt) return [];
  return [{ pointer: "/ends_at", code: "ends_before_start", message: "must be later than starts_at" }];
}

/** Converts a refusal of the built action: its findings point to the fields of the request instead. */
function withRequestPointers(refusal: Extract<Result<never>, { ok: false }>["refusal"]) {
  const { code, errors = [], message } = refusal;
  if (code === "unavailable" || code === "tenant_suspended" || code === "quota_exceeded") return refusal;
  if (errors.length === 0) return { code: "invalid_input", message, errors: [findingAt("", message)] } as const;
  return recurringInvalid(errors.map((found) => ({ ...found, pointer: pointerOf(found.pointer) })));
}

function findingAt(pointer: string, message: string): Finding {
  return { pointer, code: "invalid", message };
}

function pointerOf(pointer: string): string {
  return pointer
    .replace(/^\/config(?=\/|$)/, "/payload")
    .replace(/^\/type$/, "/provider")
    .replace(/^\/actionId$/, "/action_type");
}
