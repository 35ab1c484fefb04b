// Starts of standalone actions: plans each requested action, then starts all actions of the request together.
import { isFixedLength } from "#kernel/language/instant.ts";
import { durationMs } from "#kernel/language/timing.ts";
import { programActionOf } from "#kernel/programs/one-action.ts";
import { oneActionFindings } from "#kernel/verify/actions.ts";
import { defaults } from "#schema/defaults.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import type { DefinitionRef } from "#schema/definition/definition.ts";
import {
  type RequestedStandaloneAction,
  ACTION_REF,
  type Dedup,
  type WrittenAction,
} from "#schema/definition/standalone.ts";
import type { Calendars } from "#schema/definition/holidays.ts";
import type { Duration } from "#schema/definition/timing.ts";
import type { StartItem, Reply } from "#schema/engine/cell.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { DEDUP_WINDOW_MS_MAX, DEDUP_WINDOW_MS_MIN } from "#schema/limits/executions.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { fingerprint } from "../caller/fingerprint.ts";
import { batchKey } from "../caller/stored-responses.ts";
import { datesOfAction } from "../calendars/pin-calendars.ts";
import { answerEach, singleAnswer } from "../cells/call-cell.ts";
import { dedupedExecutionId, keyedExecutionId, placeInPool, type PlacedExecution } from "../cells/ids-and-cells.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { startPlanned, type StartPlannedDeps } from "../executions/start-executions.ts";
import { checkVariables } from "../size-limits.ts";
import { openTemplateLookup, pinOneAction, type TemplateLookup } from "../templates/pin-templates.ts";
import { bindingFindings, runnerFindings, withRunnerDefaults } from "./check-action.ts";
import { actionView } from "./standalone-actions.ts";
import type { ControlledAction } from "./control-action.ts";

export function actionRequest(body: RequestedStandaloneAction, key: string | null): ActionRequest {
  const { variables, namespace, correlationId, dedupKey, dedupWindow, ...action } = body;
  return {
    action,
    variables: variables ?? {},
    namespace: namespace ?? defaults.namespace,
    correlationId: correlationId ?? null,
    key,
    dedup:
      dedupKey === undefined ? null : { key: dedupKey, windowMs: dedupWindowMs(dedupWindow ?? defaults.dedupWindow) },
  };
}

/**
 * Returns the window's length in ms. Returns NaN if the length depends on the calendar, which dedupFindings reports as
 * a finding.
 */
function dedupWindowMs(window: Duration): number {
  return typeof window === "number" || isFixedLength(window) ? durationMs(window) : Number.NaN;
}

export type ActionRequest = {
  readonly action: WrittenAction;
  /** Templates in the action's config read these values as `execution.variables`. */
  readonly variables: JsonObject;
  readonly namespace: string;
  readonly correlationId: string | null;
  /**
   * The client's Idempotency-Key: a later request with the same key finds the same action, however much later it comes.
   */
  readonly key: string | null;
  readonly dedup: Dedup | null;
  /** The dates of the calendars that the action names, if the caller has them. Default: they are read. */
  readonly calendars?: Calendars | undefined;
};

export type PlanActionDeps = Pick<
  Deps,
  "now" | "randomBytes" | "db" | "log" | "background" | "actionTypes" | "configFindings" | "bindings"
>;

export async function planAction(
  deps: PlanActionDeps,
  caller: TenantCaller,
  request: ActionRequest,
  ref: DefinitionRef,
  templates?: TemplateLookup,
): Promise<Result<StartItem>> {
  const { tenant } = caller;
  const { key, dedup, variables } = request;
  const size = checkVariables(variables);
  if (!size.ok) return size;
  const dated = await datesOfAction(deps, tenant, request.action, request.calendars);
  const more = [...dedupFindings(dedup), ...dated.findings];
  const checked = await checkAction(deps, tenant, programActionOf(request.action), more, templates);
  if (!checked.ok) return checked;
  const placed = await placeAction(deps, tenant, request, ref);
  if (!placed.ok) return placed;
  const { execution, pool } = placed.value;
  const command = {
    kind: "start",
    inputId: key ?? timeOrderedId("inp", deps.now(), deps.randomBytes(10)),
    execution,
    tenant,
    namespace: request.namespace,
    definition: ref,
    placement: "pooled",
    variables,
    correlationId: request.correlationId,
    // Only a request with an Idempotency-Key can be repeated with another body, so only such a start needs a
    // fingerprint.
    fingerprint: key === null ? "" : await fingerprint(fingerprintedPart(request)),
    actor: caller.actor,
    standalone: { action: withRunnerDefaults(deps, checked.value), dedup, ...dated.part },
  } as const;
  return accept({ command, definition: null, ...(pool ? { pool } : {}) });
}

/**
 * Returns the action with its template's version pinned, or all findings together. Each finding's pointer starts at the
 * action, not at the request body.
 */
export async function checkAction(
  deps: PlanActionDeps,
  tenant: string,
  action: ProgramAction,
  more: readonly Finding[] = [],
  templates?: TemplateLookup,
): Promise<Result<ProgramAction>> {
  try {
    const pinned = await pinOneAction(deps, tenant, action, "", templates);
    const findings = [
      ...oneActionFindings(action, null, ""),
      ...runnerFindings(deps, action, ""),
      ...bindingFindings(deps, action, ""),
      ...pinned.findings,
      ...more,
    ];
    return findings.length === 0 ? accept(pinned.action) : refuse(actionInvalid(findings));
  } catch (cause) {
    deps.log({ level: "error", event: "templates_unavailable", message: String(cause) });
    return refuse(templatesUnavailable);
  }
}

/**
 * Chooses the execution's id, which also determines its cell. A dedup key takes precedence over the Idempotency-Key.
 * All requests with the same dedup key then reach one cell, and the Idempotency-Keys of these requests are stored
 * there.
 */
function placeAction(
  deps: PlanActionDeps,
  tenant: string,
  { key, dedup }: ActionRequest,
  { id: kind }: DefinitionRef,
): Promise<Result<PlacedExecution>> {
  if (dedup !== null)
    return placeInPool(deps, tenant, (pool) => dedupedExecutionId(pool, tenant, dedup.key, deps.now()));
  if (key === null) return placeInPool(deps, tenant, null);
  // The kind and a line break precede the client's key. A client's key contains no line break, so the keys of actions,
  // alerts and executions never collide. Keys of alerts are predictable: without the prefix, a client could use one
  // first and block the alert.
  const scopedKey = kind === ACTION_REF.id ? `action\n${key}` : `${kind}\n${key}`;
  return placeInPool(deps, tenant, (pool) => keyedExecutionId(pool, tenant, scopedKey));
}

function fingerprintedPart({ key: _key, calendars: _dates, ...body }: ActionRequest): Json {
  return JSON.parse(JSON.stringify(body)) as Json; // Stringifying drops fields whose value is undefined.
}

function dedupFindings(dedup: Dedup | null): readonly Finding[] {
  if (dedup === null) return [];
  // NaN fails both comparisons, so a window whose length depends on the calendar gets a finding.
  if (dedup.windowMs >= DEDUP_WINDOW_MS_MIN && dedup.windowMs <= DEDUP_WINDOW_MS_MAX) return [];
  const message = "must be a duration between one second and 30 days, without years and months";
  return [
    {
      pointer: "/dedupWindow",
      code: "out_of_range",
      message,
      hint: 'Write a duration such as "PT24H", or milliseconds such as 86400000.',
    },
  ];
}

function actionInvalid(errors: readonly Finding[]) {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message = `The action is not valid: ${first?.pointer ?? ""}: ${first?.message ?? ""}${more}.`;
  return { code: "action_invalid", message, errors } as const;
}

const templatesUnavailable = {
  code: "unavailable",
  message: "The catalog does not answer, so templates cannot be looked up.",
  hint: "Send the same request again with the same Idempotency-Key.",
} as const;

export type DispatchDeps = PlanActionDeps & StartPlannedDeps;
export type DispatchActions = {
  readonly requests: readonly ActionRequest[];
  /**
   * The Idempotency-Key of the whole list; null if the client sent none. batchKey derives each action's key from it.
   */
  readonly key: string | null;
  readonly dryRun: boolean;
  /** The definition under which lists show the actions. Default: the engine's definition of standalone actions. */
  readonly ref?: DefinitionRef;
};

export async function dispatchAction(
  deps: Deps,
  caller: TenantCaller,
  request: ActionRequest,
  dryRun: boolean,
): Promise<Result<ControlledAction>> {
  const reply = singleAnswer(await dispatchActions(deps, caller, { requests: [request], key: null, dryRun }));
  if (!reply.ok) return reply;
  const seen = actionView(deps, reply.value.state);
  return seen.ok ? accept({ reply: reply.value, seen: seen.value }) : seen;
}

/**
 * Starts all actions of one request. The pointers of findings start at the action; the caller adds the action's
 * position in the list.
 */
export async function dispatchActions(
  deps: DispatchDeps,
  caller: TenantCaller,
  { requests, key, dryRun, ref = ACTION_REF }: DispatchActions,
): Promise<Result<readonly Result<Reply>[]>> {
  const keyed = requests.map((request, n) => ({ ...request, key: request.key ?? batchKey(key, n) }));
  const templates = openTemplateLookup(deps, caller.tenant);
  const plans = await answerEach(deps, keyed, (request) => planAction(deps, caller, request, ref, templates));
  return accept(await startPlanned(deps, caller.tenant, plans, dryRun));
}
