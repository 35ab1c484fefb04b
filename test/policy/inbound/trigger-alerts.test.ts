// Tests which alerts a trigger raises, and when it repeats them.
import { describe, expect, it } from "vitest";
import { newAlerts, nextStuckAlertAt, noAlertsReported, type TriggerProblems } from "#policy/inbound/trigger-alerts.ts";
import type { PollerView } from "#schema/inbound/polling.ts";
import {
  POLL_FAILURES_ALERTED,
  STUCK_REPORT_DELAY_MS,
  STUCK_REPORT_REPEAT_MS,
} from "#schema/limits/inbound/deliveries.ts";

const NOW = 1_000_000_000;
const fine: PollerView = {
  health: "healthy",
  reason: null,
  nextStep: null,
  lastPollAt: NOW,
  outcome: "items",
  found: 1,
  nextPollAt: NOW,
  failures: 0,
  troubleSince: null,
  hasBaseline: true,
  cursor: null,
  backlog: 0,
  seen: 1,
};
const failing = (code: string, failures: number, over: Partial<PollerView> = {}): PollerView => ({
  ...fine,
  health: "failing",
  reason: { code, message: "…" },
  nextStep: "Mend it.",
  failures,
  troubleSince: NOW - 9,
  ...over,
});
const at = (stuck: number, poller: PollerView | null = null): TriggerProblems => ({ stuck, poller });

describe("deliveries that wait for a replay", () => {
  it("are reported with the first one, then at most once an hour", () => {
    const first = newAlerts(at(1), noAlertsReported, NOW);
    expect(first.alerts).toEqual([{ kind: "stuck", count: 1, at: NOW }]);
    expect(newAlerts(at(1), first.sent, NOW + 1)).toEqual({ alerts: [], sent: first.sent });
    expect(newAlerts(at(50), first.sent, NOW + STUCK_REPORT_REPEAT_MS - 1).alerts).toEqual([]);
    const later = newAlerts(at(50), first.sent, NOW + STUCK_REPORT_REPEAT_MS);
    expect(later.alerts).toEqual([{ kind: "stuck", count: 50, at: NOW + STUCK_REPORT_REPEAT_MS }]);
    expect(newAlerts(at(50), later.sent, NOW + 9 * STUCK_REPORT_REPEAT_MS).alerts).toEqual([]);
  });

  it.each([
    ["nothing is stuck", 0, noAlertsReported, null],
    ["the first delivery is stuck", 1, noAlertsReported, NOW + STUCK_REPORT_DELAY_MS],
    ["all stuck deliveries are reported", 2, { stuck: 2, stuckAt: NOW, poller: null }, null],
    ["more are stuck than reported", 3, { stuck: 2, stuckAt: NOW - 9, poller: null }, NOW - 9 + STUCK_REPORT_REPEAT_MS],
    ["the hour is over", 3, { stuck: 2, stuckAt: 0, poller: null }, NOW + STUCK_REPORT_DELAY_MS],
  ])("have their next alert at a known instant if %s", (_case, stuck, sent, at) => {
    expect(nextStuckAlertAt(stuck, sent, NOW)).toBe(at);
  });

  it("are reported again after all were replayed", () => {
    const { sent } = newAlerts(at(3), noAlertsReported, NOW);
    const none = newAlerts(at(0), sent, NOW + 1);
    expect(none).toMatchObject({ alerts: [], sent: { stuck: 0 } });
    expect(newAlerts(at(1), none.sent, NOW + 2).alerts).toHaveLength(1);
  });
});

describe("a poller", () => {
  it("that is healthy, disabled or absent raises no alert", () => {
    for (const poller of [null, fine, failing("switched_off", 9, { health: "off" })])
      expect(newAlerts(at(0, poller), noAlertsReported, NOW)).toEqual({ alerts: [], sent: noAlertsReported });
  });

  it("that needs an operator is reported after some failures, once per reason", () => {
    expect(newAlerts(at(0, failing("cursor_frozen", POLL_FAILURES_ALERTED - 1)), noAlertsReported, NOW).alerts).toEqual(
      [],
    );
    const frozen = newAlerts(at(0, failing("cursor_frozen", POLL_FAILURES_ALERTED)), noAlertsReported, NOW);
    const reason = { code: "cursor_frozen", message: "…" };
    expect(frozen.alerts).toEqual([{ kind: "frozen", reason, nextStep: "Mend it.", at: NOW - 9 }]);
    expect(newAlerts(at(0, failing("cursor_frozen", 7)), frozen.sent, NOW).alerts).toEqual([]);
    expect(newAlerts(at(0, failing("items_missing", 8)), frozen.sent, NOW).alerts).toHaveLength(1);
    const mended = newAlerts(at(0, fine), frozen.sent, NOW);
    expect(mended.sent).toEqual(noAlertsReported);
    expect(newAlerts(at(0, failing("cursor_frozen", POLL_FAILURES_ALERTED)), mended.sent, NOW).alerts).toHaveLength(1);
  });

  it.each(["network_error", "rate_limit", "tenant_suspended", "trigger_gone"])(
    "whose problem %s passes with time raises no alert",
    (code) => {
      expect(newAlerts(at(0, failing(code, 50)), noAlertsReported, NOW).alerts).toEqual([]);
    },
  );

  it("that waits for room is reported at once, from now if the start is unknown", () => {
    const { troubleSince: _since, ...full } = failing("backlog_full", 0, { health: "waiting" });
    expect(newAlerts(at(0, full), noAlertsReported, NOW).alerts).toMatchObject([{ kind: "frozen", at: NOW }]);
  });

  it("without a reason or a next step raises no alert", () => {
    const silent = [failing("cursor_frozen", 9, { reason: null }), failing("cursor_frozen", 9, { nextStep: null })];
    for (const poller of silent) expect(newAlerts(at(0, poller), noAlertsReported, NOW).alerts).toEqual([]);
  });
});
