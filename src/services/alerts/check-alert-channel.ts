// Everything that is wrong with an alert channel, at once: as much of its action's config as it says itself, its
// templates, and how often it wants to be told.
import { templateFindings } from "#kernel/language/render.ts";
import { durationMs } from "#kernel/language/timing.ts";
import type { AlertChannel } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { ALERT_THROTTLE_MS_MAX, ALERT_THROTTLE_MS_MIN } from "#schema/limits/alerting.ts";
import { alertConfig, saidByAlerts } from "./alert-config.ts";
import type { Deps } from "../deps.ts";
import { checkAlertChannelSize } from "../size-limits.ts";

const AT = "/channel/config";

export function checkAlertChannel(
  deps: Pick<Deps, "configFindings">,
  { channel, throttle, ...rest }: AlertChannel,
): Result<null> {
  const size = checkAlertChannelSize({ channel, throttle, ...rest });
  if (!size.ok) return size;
  const findings = [...configFindings(deps, channel), ...throttleFindings(throttle)];
  return findings.length === 0 ? accept(null) : refuse(invalidAlertChannel(findings));
}

export function invalidAlertChannel(errors: readonly Finding[]) {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const message =
    first === undefined
      ? "The alert channel is not valid."
      : `${first.pointer || "The alert channel"}: ${first.message}${more}`;
  return { code: "invalid_input", message, errors } as const;
}

function configFindings(deps: Pick<Deps, "configFindings">, { kind, config }: AlertChannel["channel"]) {
  const said = saidByAlerts(kind).filter((field) => Object.hasOwn(config, field));
  if (said.length > 0) return said.map(notYours);
  // Every word of the alert itself stands in for what it will be.
  const found = deps.configFindings(
    kind,
    alertConfig(kind, config, () => "alert"),
  );
  const own = found.map((finding) => ({ ...finding, pointer: AT + placed(finding.pointer) }));
  return [...own, ...templateFindings(config as JsonObject, AT)];
}

function notYours(field: string): Finding {
  return {
    pointer: `${AT}/${field}`,
    code: "not_allowed",
    message: "is written by each alert itself",
    hint: `leave "${field}" out`,
  };
}

/** A payload that cannot be sent is the fault of the method: the payload is not the caller's. */
function placed(pointer: string): string {
  return pointer === "/payload" ? "/method" : pointer;
}

function throttleFindings(throttle: AlertChannel["throttle"]): readonly Finding[] {
  const ms = durationMs(throttle);
  if (ms === 0 || (ms >= ALERT_THROTTLE_MS_MIN && ms <= ALERT_THROTTLE_MS_MAX)) return [];
  const message = "must be 0 (every failure is told), or between 1 second and 12 hours";
  return [{ pointer: "/throttle", code: "out_of_range", message, hint: 'such as "PT5M"' }];
}
