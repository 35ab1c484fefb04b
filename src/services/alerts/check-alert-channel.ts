// Alert channel checks: collects all findings about a channel in one pass. They concern its part of the action's
// config, its templates, and the throttle.
import { templateFindings } from "#kernel/language/render.ts";
import { durationMs } from "#kernel/language/timing.ts";
import type { AlertChannel } from "#schema/alert.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import { ALERT_THROTTLE_MS_MAX, ALERT_THROTTLE_MS_MIN } from "#schema/limits/upkeep/alert-throttle.ts";
import { alertConfig, fieldsOfAlerts } from "./alert-config.ts";
import type { Deps } from "../deps.ts";
import { invalidNamed } from "../named/named-noun.ts";
import { checkAlertChannelSize } from "../size-limits.ts";

const AT = "/channel/config";

export function checkAlertChannel(
  deps: Pick<Deps, "configFindings">,
  { channel, throttle, ...rest }: AlertChannel,
): Result<null> {
  const size = checkAlertChannelSize({ channel, throttle, ...rest });
  if (!size.ok) return size;
  const findings = [...configFindings(deps, channel), ...throttleFindings(throttle)];
  return findings.length === 0 ? accept(null) : refuse(invalidNamed("alert channel", findings));
}

function configFindings(deps: Pick<Deps, "configFindings">, { kind, config }: AlertChannel["channel"]) {
  const forbidden = fieldsOfAlerts(kind).filter((field) => Object.hasOwn(config, field));
  if (forbidden.length > 0) return forbidden.map(setByAlerts);
  // Each value of the alert is replaced by a sample value, so that a complete config is checked.
  const found = deps.configFindings(
    kind,
    alertConfig(kind, config, () => "alert"),
  );
  const moved = found.map((finding) => ({ ...finding, pointer: AT + pointerInChannel(finding.pointer) }));
  return [...moved, ...templateFindings(config as JsonObject, AT)];
}

function setByAlerts(field: string): Finding {
  return {
    pointer: `${AT}/${field}`,
    code: "not_allowed",
    message: "must be absent, because each alert sets this field",
    hint: `remove "${field}"`,
  };
}

/**
 * Moves the pointer of a finding about the payload to `/method`. The engine writes the payload, so only the method that
 * the client chose can be at fault.
 */
function pointerInChannel(pointer: string): string {
  return pointer === "/payload" ? "/method" : pointer;
}

function throttleFindings(throttle: AlertChannel["throttle"]): readonly Finding[] {
  const ms = durationMs(throttle);
  if (ms === 0 || (ms >= ALERT_THROTTLE_MS_MIN && ms <= ALERT_THROTTLE_MS_MAX)) return [];
  const message = "must be 0 (an alert for every failure), or between 1 second and 12 hours";
  return [{ pointer: "/throttle", code: "out_of_range", message, hint: 'Write a duration such as "PT5M".' }];
}
