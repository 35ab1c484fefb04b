// Action tests: checks an action as a definition's action is checked, then rehearses it with mocks. Nothing is sent or
// stored, and no secret is decrypted. The answer shows the requests that would be sent, and recommendations.
import { shownZone } from "#kernel/language/zone-settings.ts";
import { recommend } from "#policy/advice/recommend.ts";
import { resolveRetry } from "#kernel/execution/retries/retry.ts";
import { scheduleFault } from "#kernel/calendar/occurrences.ts";
import type { ProgramAction } from "#schema/definition/action.ts";
import { testedAction } from "#schema/definition/standalone.ts";
import { zodFindings } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { accept, type Finding, type Result } from "#schema/refusal.ts";
import type { AttemptMocks, Interaction, Recommendation } from "#schema/rehearsal.ts";
import { secretNames } from "#schema/secret-slots.ts";
import { withRunnerDefaults } from "../actions/check-action.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { checkAction } from "../actions/dispatch-actions.ts";
import {
  rehearseAction,
  type ActionRehearsal,
  type RehearsedAction,
  type RehearsedAttempt,
} from "./rehearse-action.ts";
import { cachedPrices, withPrice } from "../actions/prices.ts";
import { freshTenantSettings } from "../quotas/tenant-settings.ts";
import { checkPayload, checkVariables } from "../size-limits.ts";
import { missingSecrets } from "../secrets/missing-secrets.ts";
import { openLookups, type OpenedLookups } from "./rehearsal-lookups.ts";

export type TestAction = {
  readonly action: JsonObject;
  readonly variables: JsonObject;
  readonly trigger: ActionRehearsal["trigger"];
  /** When the virtual run begins, in epoch ms; null: now. */
  readonly startAt: number | null;
  readonly mocks: readonly AttemptMocks[];
  readonly attemptsMax: number;
};

export type TestStatus = "ok" | "failed" | "skipped" | "waiting";
export type TestedAction = {
  readonly findings: readonly Finding[];
  /** The result of the rehearsal; null if the action is invalid. */
  readonly rehearsed: {
    readonly status: TestStatus;
    readonly reason: string | null;
    readonly run: RehearsedAction["run"];
    readonly attempts: readonly RehearsedAttempt[];
    readonly wouldTakeMs: number;
  } | null;
  readonly recommendations: readonly Recommendation[];
};

export async function testAction(deps: Deps, caller: TenantCaller, input: TestAction): Promise<Result<TestedAction>> {
  const size = sizeInBody(checkVariables(input.variables), "variables");
  if (!size.ok) return size;
  const payload = sizeInBody(checkPayload(input.trigger.message?.payload ?? null), "message/payload");
  if (!payload.ok) return payload;
  const checked = await checkedAction(deps, caller.tenant, input.action);
  if (!checked.ok) {
    const { errors } = checked.refusal;
    if (errors === undefined) return checked;
    return accept({ findings: errors.map(belowAction), rehearsed: null, recommendations: [] });
  }
  const action = withRunnerDefaults(deps, checked.value);
  const { tenant } = caller;
  const [lookups, prices, { policies }] = await Promise.all([
    openLookups(deps, tenant),
    cachedPrices(deps, tenant),
    freshTenantSettings(deps, tenant),
  ]);
  const rehearsed = await rehearseAction(deps, {
    tenant,
    policies,
    action,
    variables: input.variables,
    trigger: input.trigger,
    mocks: input.mocks,
    startAt: input.startAt ?? deps.now(),
    attemptsMax: input.attemptsMax,
    rehearsal: deps.rehearse(lookups.lookups),
    priced: (ticket, outcome) => withPrice(prices, ticket, outcome),
  });
  return rehearsed.ok
    ? accept(await reportOf(deps, tenant, input, { action, seen: lookups, rehearsed: rehearsed.value }))
    : rehearsed;
}

/**
 * Checks the action without its `triggerState`. In a definition that state decides when the action starts, but a test
 * starts it immediately.
 */
async function checkedAction(deps: Deps, tenant: string, body: JsonObject): Promise<Result<ProgramAction>> {
  const names = { actionId: "test", ...body };
  const parsed = testedAction.safeParse(names);
  if (!parsed.success) return invalid(zodFindings(parsed.error, testedAction, names));
  const { triggerState: _state, schedule, ...action } = parsed.data;
  const fault = schedule === undefined ? null : scheduleFault(schedule, shownZone([action.timezone], {}));
  const { message, hint } = fault ?? { message: "", hint: "" };
  const scheduleFindings = fault === null ? [] : [{ pointer: "/schedule", code: "invalid_schedule", message, hint }];
  return checkAction(deps, tenant, action, scheduleFindings);
}

function invalid(errors: readonly Finding[]): Result<never> {
  return { ok: false, refusal: { code: "action_invalid", message: "The action is not valid.", errors } };
}

function belowAction(finding: Finding): Finding {
  return { ...finding, pointer: `/action${finding.pointer}` };
}

/** Moves the pointer of a size refusal, so that it points to the field in the request's body. */
function sizeInBody(size: Result<null>, field: string): Result<null> {
  if (size.ok) return size;
  const errors = (size.refusal.errors ?? []).map((finding) => ({ ...finding, pointer: `/context/${field}` }));
  return { ok: false, refusal: { ...size.refusal, errors } };
}

type RehearsedTest = {
  readonly action: ProgramAction;
  readonly seen: OpenedLookups;
  readonly rehearsed: RehearsedAction;
};

async function reportOf(
  deps: Deps,
  tenant: string,
  input: TestAction,
  { action, seen: lookups, rehearsed }: RehearsedTest,
): Promise<TestedAction> {
  const { run, attempts, endedAt } = rehearsed;
  const { status, reason } = endOf(run);
  const interactions = attempts.flatMap((attempt) => attempt.interactions);
  const config = run.config ?? action.config;
  const names = new Set([...secretNames(config), ...lookups.secrets]);
  const startedAt = input.startAt ?? run.createdAt;
  const recommendations = recommend({
    action,
    status,
    reason,
    error: run.error,
    policy: resolveRetry(action.retryPolicy, "default"),
    repeats: deps.repeatsOf(action.type, config),
    attempts: attempts.map(({ error, waitedMs }) => ({ error: error?.type ?? null, isRetried: waitedMs !== null })),
    mockDelaysMs: input.mocks.flat().map((mock) => mock?.delay ?? 0),
    bodyBytesMax: Math.max(0, ...interactions.map((each) => ("url" in each ? each.bodyBytes : 0))),
    assumed: assumedIn(interactions),
    unnamed: [...lookups.unnamed],
    unsetSecrets: await missingSecrets(deps, tenant, [...names]),
    isQueueOnly: deps.actionTypes[action.type]?.lane === "queue",
  });
  return {
    findings: [],
    rehearsed: { status, reason, run, attempts, wouldTakeMs: endedAt - startedAt },
    recommendations,
  };
}

function endOf(run: RehearsedAction["run"]): { readonly status: TestStatus; readonly reason: string | null } {
  switch (run.status) {
    case "ok":
    case "failed":
      return { status: run.status, reason: run.reason };
    case "skipped":
    case "canceled":
      return { status: "skipped", reason: run.reason };
    case "scheduled":
    case "queued":
    case "running":
    case "retry":
      return { status: "waiting", reason: run.dueAt === null ? "delay_unknown" : "rehearsal_ended" };
  }
}

function assumedIn(interactions: readonly Interaction[]): readonly string[] {
  const open = interactions.filter(({ assumed }) => assumed);
  // Calls to the signer are left out. They are never mocked, because their result depends on the answers of the chain's
  // node.
  const names = open.flatMap((each) =>
    "port" in each ? (each.port === "signer" ? [] : [each.port]) : [requestOf(each)],
  );
  return [...new Set(names)];
}

function requestOf({ method, url, body }: Extract<Interaction, { url: string }>): string {
  const call = methodOf(body);
  return `${method} ${URL.canParse(url) ? new URL(url).host : url}${call === null ? "" : ` ${call}`}`;
}

/** Returns the method of a JSON-RPC request; null if the body is not a JSON-RPC request. */
function methodOf(body: Json): string | null {
  if (body === null || typeof body !== "object" || !("jsonrpc" in body)) return null;
  return "method" in body ? String(body.method) : null;
}
