// Alert sending: sends alerts about failures and tenant-wide events to a tenant's channels. Each alert is a standalone
// action.
import type { StoredAlertChannel } from "#catalog/alert-channels.ts";
import { durationMs } from "#kernel/language/timing.ts";
import { alertGroups, failuresToReport, receivesFailure, isSentByDefault } from "#policy/advice/alerts.ts";
import type { Failure, TenantAlert } from "#schema/alert.ts";
import { ALERT_REF } from "#schema/definition/standalone.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { ProjectionMessage } from "#schema/engine/projection.ts";
import type { TriggerAlert } from "#schema/inbound/trigger-alert.ts";
import { BATCH_STARTS_MAX } from "#schema/limits/api-requests.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { ALERT_FRESH_MS, ALERT_RAISE_MS } from "#schema/limits/upkeep/alert-throttle.ts";
import type { Result } from "#schema/refusal.ts";
import { dispatchActions, type DispatchDeps } from "../actions/dispatch-actions.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { newestRows } from "../executions/newest-rows.ts";
import { sha256 } from "../hash.ts";
import { putCached, openIsolateCache, peekCached } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";
import { findHook } from "../triggers/hook-token.ts";
import { alertAction } from "./alert-action.ts";
import { alertMessage, type AlertMessage, tenantAlertMessage } from "./alert-message.ts";
import { findAlertChannels } from "./alert-channels.ts";

/**
 * Caches the keys of alerts that this isolate has sent. An execution with dead letters projects them each time that it
 * changes, and each alert must be sent once only.
 */
const sentAlerts = openIsolateCache<true>({
  sizeMax: isolateCaches.alerts.sizeMax,
  freshMs: () => ALERT_FRESH_MS,
  staleMs: () => 0,
});
const loggedFailures = openIsolateCache<true>({
  sizeMax: isolateCaches.alerts.sizeMax,
  freshMs: () => ALERT_FRESH_MS,
  staleMs: () => 0,
});

export type AlertDeps = DispatchDeps & Pick<Deps, "installation">;

export function failuresIn(messages: readonly ProjectionMessage[], now: number): readonly Failure[] {
  const executions = messages.flatMap((message) => message.executions);
  const runs = messages.flatMap((message) => message.runs);
  if (failuresToReport(executions, runs, now).length === 0) return [];
  const newest = newestRows(executions, runs);
  return failuresToReport(newest.executions, newest.runs, now);
}

/**
 * Alerts all tenants with failures. Returns the tenants whose channels could not be notified now, so that the consumer
 * retries their messages.
 */
export async function raiseAlerts(deps: AlertDeps, failures: readonly Failure[]): Promise<ReadonlySet<string>> {
  for (const failure of failures) if (isSentByDefault(failure)) logFailureOnce(deps, failure);
  const unnotified = new Set<string>();
  const tenants = Map.groupBy(failures, ({ tenant }) => tenant);
  await Promise.all(
    Array.from(tenants, async ([tenant, ofTenant]) => {
      try {
        if (!(await withTimeLimit(ALERT_RAISE_MS, alertTenant(deps, tenant, ofTenant)))) unnotified.add(tenant);
      } catch (cause) {
        deps.log({ level: "warn", event: "alerts_not_raised", tenant, message: String(cause) });
        unnotified.add(tenant);
      }
    }),
  );
  return unnotified;
}

/** Logs a failure once. The line is for operators who read logs, and for tenants that have no alert channel. */
function logFailureOnce(deps: DispatchDeps, failure: Failure): void {
  const { severity, code, tenant, execution, run, failedAt, definition, action, errorType } = failure;
  const key = JSON.stringify([tenant, execution, run, code, failedAt]);
  if (peekCached(loggedFailures, key, deps.now())) return;
  putCached(loggedFailures, key, true, deps.now());
  const level = severity === "warning" ? "warn" : "error";
  deps.log({ level, event: "alert", severity, code, tenant, execution, run, definition, action, errorType });
}

export type PlannedAlert = {
  readonly channel: StoredAlertChannel;
  readonly key: string;
  readonly message: () => AlertMessage;
};

async function alertTenant(deps: AlertDeps, tenant: string, failures: readonly Failure[]): Promise<boolean> {
  const channels = await findAlertChannels(deps, tenant);
  return sendAlerts(
    deps,
    tenant,
    await Promise.all(channels.flatMap((channel) => planAlerts(deps, channel, failures))),
  );
}

/** Sends those alerts that this isolate has not sent yet. Returns false if some of them could not be sent now. */
export async function sendAlerts(
  deps: DispatchDeps,
  tenant: string,
  planned: readonly PlannedAlert[],
): Promise<boolean> {
  const unsent = planned.filter(({ key }) => !peekCached(sentAlerts, key, deps.now()));
  let areAllSent = true;
  for (let from = 0; from < unsent.length; from += BATCH_STARTS_MAX) {
    areAllSent = (await sendBatch(deps, tenant, unsent.slice(from, from + BATCH_STARTS_MAX))) && areAllSent;
  }
  return areAllSent;
}

function planAlerts(
  { installation: { publicUrl } }: AlertDeps,
  channel: StoredAlertChannel,
  failures: readonly Failure[],
): Promise<PlannedAlert>[] {
  const { throttle } = channel.settings;
  const matching = failures.filter((failure) => receivesFailure(channel.settings, failure));
  return alertGroups(matching, durationMs(throttle)).map(async (group) => {
    const to = { tenant: channel.tenant, channel: channel.name, test: false, publicUrl };
    const message = () => alertMessage(group, to);
    return { channel, message, key: await alertKey(channel, group.identity, group.bucket) };
  });
}

export async function alertKey({ id }: StoredAlertChannel, identity: string, bucket: number): Promise<string> {
  return `alert:${id}:${(await sha256(identity)).slice(0, 32)}:${bucket}`;
}

async function sendBatch(deps: DispatchDeps, tenant: string, planned: readonly PlannedAlert[]): Promise<boolean> {
  const requests = planned.map(({ channel, message, key }) => alertAction(channel, message(), key));
  const caller: TenantCaller = { actor: { kind: "engine", id: "alerts" }, tenant, scopes: [] };
  const answers = await dispatchActions(deps, caller, { requests, key: null, dryRun: false, ref: ALERT_REF });
  if (!answers.ok) throw new Error(answers.refusal.message);
  return planned.map((alert, n) => recordOutcome(deps, tenant, alert, answers.value[n])).every(Boolean);
}

/**
 * Caches the key of a sent alert, or logs why the alert was not sent. Returns false if sending it later may succeed.
 */
function recordOutcome(
  deps: DispatchDeps,
  tenant: string,
  { channel, key }: PlannedAlert,
  answer?: Result<Reply>,
): boolean {
  // A conflict means that another isolate has sent the alert under the same key, with other failures of this kind. So
  // the alert counts as sent.
  const isSent = answer?.ok === true || answer?.refusal.code === "idempotency_conflict";
  const isPassing = answer === undefined || (!answer.ok && /^(unavailable|quota_exceeded)$/.test(answer.refusal.code));
  if (isSent) putCached(sentAlerts, key, true, deps.now());
  else {
    const refusal = answer === undefined || answer.ok ? null : answer.refusal;
    deps.log({ level: isPassing ? "warn" : "error", event: "alert_not_sent", tenant, channel: channel.id, refusal });
  }
  return !isPassing;
}

/**
 * Sends an alert about a tenant-wide event to the tenant's channels. Throws if the alert could not be sent; the caller
 * then calls again later.
 */
export async function raiseTenantAlert(deps: AlertDeps, notice: TenantAlert): Promise<void> {
  const { severity, code, tenant, subject, at, error } = notice;
  const level = severity === "warning" ? "warn" : "error";
  deps.log({ level, event: "alert", severity, code, tenant, subject, errorType: error.type, errorCode: error.code });
  const channels = await findAlertChannels(deps, tenant);
  const listening = channels.filter(({ settings }) => settings.severities.includes(severity));
  const planned = await Promise.all(
    listening.map(async (channel) => {
      const throttleMs = durationMs(channel.settings.throttle);
      const bucket = throttleMs === 0 ? at : Math.floor(at / throttleMs);
      const silentUntil = throttleMs === 0 ? null : (bucket + 1) * throttleMs;
      const to = { tenant, channel: channel.name, test: false, publicUrl: deps.installation.publicUrl };
      const key = await alertKey(channel, JSON.stringify([severity, code, subject]), bucket);
      return { channel, key, message: () => tenantAlertMessage(notice, to, silentUntil) };
    }),
  );
  if (!(await sendAlerts(deps, tenant, planned))) throw new Error("an alert could not be sent to a channel");
}

type TriggerAlertDeps = Deps & AlertDeps;
type TriggerName = { readonly tenant: string; readonly trigger: string };

export async function raiseTriggerAlerts(
  deps: TriggerAlertDeps,
  of: TriggerName,
  news: readonly TriggerAlert[],
): Promise<void> {
  const row = await findHook(deps, of.tenant, of.trigger);
  // The trigger was deleted, so its alert is no longer needed.
  if (row === null) return;
  for (const each of news) await raiseTenantAlert(deps, tenantAlertOf(of.tenant, row.name, each));
}

function tenantAlertOf(tenant: string, name: string, news: TriggerAlert): TenantAlert {
  const path = `/v1/triggers/${name}`;
  const about = { severity: "high", tenant, subject: name, at: news.at } as const;
  switch (news.kind) {
    case "stuck": {
      const message = `the number of unmappable and failed deliveries is ${news.count}`;
      return {
        ...about,
        code: "deliveries_stuck",
        error: { type: "deliveries_stuck", code: null, message },
        nextStep: `Read the reasons of the deliveries, fix the trigger or its definition, then call POST ${path}/replay.`,
        look: [`${path}/deliveries?status=unmappable`, `${path}/deliveries?status=failed`],
      };
    }
    case "frozen": {
      const { reason, nextStep } = news;
      const error = { type: "poller_frozen", ...reason };
      return { ...about, code: "poller_frozen", error, nextStep, look: [path] };
    }
  }
}
