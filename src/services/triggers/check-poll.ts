// Poller checks that the schema cannot express: a poller's request and its interval.
import { templateFindings } from "#kernel/language/render.ts";
import type { PollSettings } from "#schema/inbound/poll.ts";
import type { Json } from "#schema/json.ts";
import { POLL_EVERY_MS_MAX } from "#schema/limits/inbound/polling.ts";
import { RECURRING_MINUTE_MS } from "#schema/limits/recurring-actions.ts";
import type { Finding } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";
import { intervalMs } from "./poll-page.ts";

type CheckDeps = Pick<Deps, "db" | "now" | "log" | "background" | "configFindings">;

export async function pollFindings(deps: CheckDeps, tenant: string, poll: PollSettings): Promise<readonly Finding[]> {
  const { limits } = await tenantSettingsOf(deps, tenant);
  return [...everyFindings(intervalMs(poll.every), limits.recurringPerMinute), ...requestFindings(deps, poll)];
}

function everyFindings(ms: number, perMinute: number): Finding[] {
  const minimumMs = RECURRING_MINUTE_MS / Math.max(1, perMinute);
  const pointer = "/poll/every";
  if (ms < minimumMs) {
    const message = `is ${ms / 1_000} s; the minimum is ${minimumMs / 1_000} s (recurringPerMinute)`;
    const hint = 'Raise the limit with the root key: PATCH /v1/tenants/{id} with {"limits":{"recurringPerMinute":…}}';
    return [{ pointer, code: "too_often", message, hint }];
  }
  if (ms <= POLL_EVERY_MS_MAX) return [];
  return [
    { pointer, code: "too_seldom", message: `is ${ms / 1_000} s; the maximum is ${POLL_EVERY_MS_MAX / 1_000} s` },
  ];
}

/** Checks the poller's request, which is the config of an api_call that only reads. */
function requestFindings({ configFindings }: CheckDeps, { request }: PollSettings): Finding[] {
  const at = "/poll/request";
  const findings = configFindings("api_call", request).map((each) => ({ ...each, pointer: `${at}${each.pointer}` }));
  const { method = "GET" } = request;
  if (method !== "GET" && method !== "POST")
    findings.push({ pointer: `${at}/method`, code: "invalid", message: "a list must be requested with GET or POST" });
  for (const name of ["responseMapping", "expectedStatusCodes"].filter((each) => each in request))
    findings.push({ pointer: `${at}/${name}`, code: "unknown_field", message: "has no effect here: remove the field" });
  return [...findings, ...templateFindings(request as Json, at)]; // The request is parsed JSON.
}
