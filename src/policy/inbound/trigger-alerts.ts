// Decides which alerts about a trigger are new: deliveries that wait for a replay, and a poller that has stopped.
// Problems that were reported are stored, so that each is reported once.
import type { TriggerAlert, SentTriggerAlerts } from "#schema/inbound/trigger-alert.ts";
import type { PollerView } from "#schema/inbound/polling.ts";
import {
  POLL_FAILURES_ALERTED,
  STUCK_REPORT_DELAY_MS,
  STUCK_REPORT_REPEAT_MS,
} from "#schema/limits/inbound/deliveries.ts";
import { needsOperator } from "../polling/view.ts";

export const noAlertsReported: SentTriggerAlerts = { stuck: 0, stuckAt: 0, poller: null };

/** The current problems of a trigger. `stuck`: how many deliveries wait until an operator replays them. */
export type TriggerProblems = { readonly stuck: number; readonly poller: PollerView | null };

/**
 * Returns the new alerts and the record of reported problems. If nothing has changed, the record is the same object.
 */
export function newAlerts(
  { stuck, poller }: TriggerProblems,
  sent: SentTriggerAlerts,
  now: number,
): { readonly alerts: readonly TriggerAlert[]; readonly sent: SentTriggerAlerts } {
  const alerts: TriggerAlert[] = [];
  const hasMoreStuck = stuck > sent.stuck && (sent.stuck === 0 || now - sent.stuckAt >= STUCK_REPORT_REPEAT_MS);
  if (hasMoreStuck) alerts.push({ kind: "stuck", count: stuck, at: now });
  const stoppedPoller = poller === null ? null : frozenAlert(poller, sent, now);
  if (stoppedPoller !== null && stoppedPoller.reason.code !== sent.poller) alerts.push(stoppedPoller);
  const next = {
    ...(hasMoreStuck ? { stuck, stuckAt: now } : { stuck: Math.min(stuck, sent.stuck), stuckAt: sent.stuckAt }),
    poller: stoppedPoller?.reason.code ?? null,
  };
  const isUnchanged = next.stuck === sent.stuck && next.stuckAt === sent.stuckAt && next.poller === sent.poller;
  return { alerts, sent: isUnchanged ? sent : next };
}

/** Returns when the next alert about stuck deliveries is due, in epoch ms; null if all of them are reported. */
export function nextStuckAlertAt(stuck: number, sent: SentTriggerAlerts, now: number): number | null {
  if (stuck <= sent.stuck) return null;
  const soon = now + STUCK_REPORT_DELAY_MS;
  return sent.stuck === 0 ? soon : Math.max(soon, sent.stuckAt + STUCK_REPORT_REPEAT_MS);
}

type Frozen = Extract<TriggerAlert, { kind: "frozen" }>;

/**
 * Returns the alert about a stopped poller; null if it has not stopped. A failure that may pass with time is reported
 * only after some retries.
 */
function frozenAlert(poller: PollerView, sent: SentTriggerAlerts, now: number): Frozen | null {
  const { health, reason, nextStep, failures, troubleSince = null } = poller;
  if (reason === null || nextStep === null || (health !== "failing" && health !== "waiting")) return null;
  const isLasting = health === "waiting" || reason.code === sent.poller || failures >= POLL_FAILURES_ALERTED;
  if (!isLasting || !needsOperator(reason.code)) return null;
  return { kind: "frozen", reason, nextStep, at: troubleSince ?? now };
}
