// Tells a tenant's alert channels of something that is no failure of one execution: a connection that needs a person.
// Whichever namespaces and definitions a channel is about, it hears of it where it hears of the severity. Told again, it
// is the same alert.
import { durationMs } from "#kernel/language/timing.ts";
import type { Notice } from "#schema/alert.ts";
import type { DispatchDeps } from "../actions/dispatch-actions.ts";
import { noticeMessage } from "./alert-message.ts";
import { findAlertChannels } from "./find-alert-channels.ts";
import { alertKey, sendAlerts } from "./raise-alerts.ts";

/** Throws where it could not be told: it has to be raised again. */
export async function raiseNotice(deps: DispatchDeps, notice: Notice): Promise<void> {
  const { severity, code, tenant, subject, at, error } = notice;
  const level = severity === "warning" ? "warn" : "error";
  deps.log({ level, event: "alert", severity, code, tenant, subject, errorType: error.type, errorCode: error.code });
  const channels = await findAlertChannels(deps, tenant);
  const hearing = channels.filter(({ settings }) => settings.severities.includes(severity));
  const planned = await Promise.all(
    hearing.map(async (channel) => {
      const throttleMs = durationMs(channel.settings.throttle);
      const bucket = throttleMs === 0 ? at : Math.floor(at / throttleMs);
      const silentUntil = throttleMs === 0 ? null : (bucket + 1) * throttleMs;
      const to = { tenant, channel: channel.name, test: false };
      const key = await alertKey(channel, JSON.stringify([severity, code, subject]), bucket);
      return { channel, key, message: () => noticeMessage(notice, to, silentUntil) };
    }),
  );
  if (!(await sendAlerts(deps, tenant, planned))) throw new Error("an alert channel could not be told");
}
