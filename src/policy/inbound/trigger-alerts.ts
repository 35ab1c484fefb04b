// Decides which alerts about a trigger are new: deliveries that wait for a replay, and a poller that has stopped. What
// was reported is stored, so that each problem is reported once.
import type { TriggerAlert, SentTriggerAlerts } from "#schema/inbound/trigger-alert.ts";
import type { PollerView } from "#schema/inbound/polling.ts";
import { POLL_FAILURES_ALERTED, STUCK_REPORT_REPEAT_MS } from "#schema/limits/inbound/deliveries.ts";
import { needsOperator } from "../polling/view.ts";

export const noAlertsReported: SentTriggerAlerts = { stuck: 0, stuckAt: 0, poller: null };

export type TriggerProblems = { readonly stuck: number; readonly poller: PollerView | null };

/** Returns the new alerts, and the record of reported problems, which is the same object if nothing changed. */
export function newAlerts(
  { stuck, poller }: TriggerProblems,
  told: SentTriggerAlerts,
  now: number,
): { readonly news: readonly TriggerAlert[]; readonly told: SentTriggerAlerts } {
  const news: TriggerAlert[] = [];
  const isMore = stuck > told.stuck && (told.stuck === 0 || now - told.stuckAt >= STUCK_REPORT_REPEAT_MS);
  if (isMore) news.push({ kind: "stuck", count: stuck, at: now });
  const frozen = poller === null ? null : frozenBy(poller, told, now);
  if (frozen !== null && frozen.reason.code !== told.poller) news.push(frozen);
  const next = {
    ...(isMore ? { stuck, stuckAt: now } : { stuck: Math.min(stuck, told.stuck), stuckAt: told.stuckAt }),
    poller: frozen?.reason.code ?? null,
  };
  const isSame = next.stuck === told.stuck && next.stuckAt === told.stuckAt && next.poller === told.poller;
  return { news, told: isSame ? told : next };
}

type Frozen = Extract<TriggerAlert, { kind: "frozen" }>;

/**
 * Returns the alert about a stopped poller; null without one. Failures that may pass with time are retried before they
 * are reported.
 */
function frozenBy(poller: PollerView, told: SentTriggerAlerts, now: number): Frozen | null {
  const { health, reason, nextStep, failures, troubleSince = null } = poller;
  if (reason === null || nextStep === null || (health !== "failing" && health !== "waiting")) return null;
  const isLasting = health === "waiting" || reason.code === told.poller || failures >= POLL_FAILURES_ALERTED;
  if (!isLasting || !needsOperator(reason.code)) return null;
  return { kind: "frozen", reason, nextStep, at: troubleSince ?? now };
}
