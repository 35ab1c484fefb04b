// Tests the delivery of a published event, step by step.
import { describe, expect, test } from "vitest";
import { isNewerReport } from "#policy/directory/report-order.ts";
import {
  assignTo,
  recordDeliveries,
  expireEvent,
  acceptEvent,
  endReport,
  isReplayOf,
  postponeReport,
  recordUnreached,
  reportOf,
  republish,
  undeliverableFault,
} from "#policy/directory/published-event.ts";
import {
  EVENT_DELIVERY_GAPS_MS,
  EVENT_DELIVERY_MS_MAX,
  EVENT_RECIPIENTS_MAX,
  PUBLISHED_EVENT_KEPT_MS,
  WAITING_EVENTS_MAX,
} from "#schema/limits/published-events.ts";
import { DELIVERY_KEPT_MS } from "#schema/limits/inbound/deliveries.ts";
import type { RecipientOutcome, KeyRegistration, PublishedEvent, PublishedEventRow } from "#schema/directory/calls.ts";

const T0 = Date.UTC(2026, 0, 5, 9);
const HOUR = 3_600_000;
const event: PublishedEvent = {
  id: "evt_1",
  type: "paid",
  key: "o-1",
  payload: { n: 1 },
  source: "api",
  correlationId: null,
  keepMs: HOUR,
  actor: { kind: "key", id: "key_1" },
  fingerprint: "f",
};
const member = (n: number): KeyRegistration => ({ execution: `exe_${n}`, incarnation: T0, key: "o-1", since: 1 });
const members = (count: number) => Array.from({ length: count }, (_, n) => member(n));
const taken = (count: number, keepMs = HOUR): PublishedEventRow => {
  const row = acceptEvent({ ...event, keepMs }, members(count), 0, T0);
  if (!row.ok) throw new Error(row.refusal.message);
  return row.value;
};
const handed = (row: PublishedEventRow, outcomes: readonly RecipientOutcome[], now = T0 + 1) =>
  recordDeliveries(
    row,
    row.recipients.filter(({ outcome }) => outcome === null).slice(0, outcomes.length),
    outcomes,
    now,
  );
const no = { code: "event_too_late", message: "no" };

describe("publishing an event", () => {
  test.each([
    ["goes to all executions with its key", 2, HOUR, 0, { status: "going", dueAt: T0, reason: null }],
    ["waits if no execution has its key", 0, HOUR, 0, { status: "kept", dueAt: T0 + HOUR, reason: null }],
    [
      "is given up if no execution has its key and it must not be kept",
      ...([0, 0, WAITING_EVENTS_MAX] as const),
      { status: "undeliverable", reason: "no_matching_execution", dueAt: T0 + PUBLISHED_EVENT_KEPT_MS },
    ],
  ])("%s", (_what, count, keepMs, kept, expected) => {
    expect(acceptEvent({ ...event, keepMs }, members(count), kept, T0)).toMatchObject({ ok: true, value: expected });
  });

  test.each([
    ["more executions have the key than the limit per event", EVENT_RECIPIENTS_MAX + 1, 0, "limit_exceeded"],
    ["too many events are waiting", 0, WAITING_EVENTS_MAX, "event_buffer_full"],
  ])("is refused if %s", (_what, count, kept, code) => {
    expect(acceptEvent(event, members(count), kept, T0)).toMatchObject({ ok: false, refusal: { code } });
    expect(acceptEvent(event, members(Math.max(0, count - 1)), Math.max(0, kept - 1), T0).ok).toBe(true);
  });
});

test("delivers to triggers in addition to executions, and to triggers alone if no execution has the key", () => {
  const row = acceptEvent({ ...event, triggers: ["trg_1"] }, members(1), 0, T0);
  const trigger = { execution: "trg_1", incarnation: 0, isTrigger: true, outcome: null };
  expect(row).toMatchObject({ ok: true, value: { status: "going", recipients: [{ execution: "exe_0" }, trigger] } });
  expect(acceptEvent({ ...event, triggers: ["trg_1"] }, [], 0, T0)).toMatchObject({ value: { recipients: [trigger] } });
});

describe("the delivery of an event", () => {
  test("is complete when a recipient has accepted it; then the payload is dropped", () => {
    const row = handed(taken(2), ["taken", no]);
    expect(row).toMatchObject({ status: "delivered", reason: null, dueAt: T0 + 1 + PUBLISHED_EVENT_KEPT_MS });
    expect(row.recipients.map(({ outcome }) => outcome)).toEqual(["taken", no]);
    expect(row.event.payload).toBeNull();
  });

  test("that all recipients refuse makes the event undeliverable, with each refusal", () => {
    const row = handed(taken(2), [no, no]);
    expect(row).toMatchObject({ status: "undeliverable", reason: "not_accepted", event: { payload: { n: 1 } } });
  });

  test("that only finds ended executions keeps the event for the next execution, if it is to be kept", () => {
    const gone = { code: "execution_final", message: "it has ended" };
    const row = handed(taken(2), [gone, { ...gone, code: "not_found" }]);
    expect(row).toMatchObject({ status: "kept", recipients: [], dueAt: T0 + HOUR, event: { payload: { n: 1 } } });
    expect(handed(taken(2), [gone, no]).status).toBe("undeliverable");
    // The answer to the first call was lost, so the execution may have accepted the event before it ended.
    expect(handed(handed(taken(1), ["again"]), [gone]).status).toBe("undeliverable");
    expect(handed(taken(1, 0), [gone])).toMatchObject({ status: "undeliverable", reason: "not_accepted" });
    expect(handed(taken(1), [gone], T0 + HOUR)).toMatchObject({ status: "undeliverable", reason: "not_accepted" });
  });

  test("continues at once with recipients that were not called yet", () => {
    const row = handed(taken(3), ["taken"], T0 + 5);
    expect(row).toMatchObject({ status: "going", dueAt: T0 + 5, tries: 0 });
    expect(handed(row, ["taken", "taken"])).toMatchObject({ status: "delivered" });
  });

  test("is repeated only to recipients that were not reached", () => {
    const row = handed(taken(2), ["taken", "again"], T0 + 5);
    expect(row).toMatchObject({ status: "going", tries: 1, dueAt: T0 + 5 + EVENT_DELIVERY_GAPS_MS[0] });
    expect(row.recipients.map(({ outcome }) => outcome)).toEqual(["taken", null]);
    expect(handed(row, ["taken"])).toMatchObject({ status: "delivered" });
  });

  test("counts a call without an answer as not reached", () => {
    const row = taken(1);
    expect(recordDeliveries(row, row.recipients, [], T0)).toMatchObject({ status: "going", tries: 1 });
  });

  test("is repeated with growing gaps", () => {
    let row = taken(1);
    const gaps = Array.from({ length: 7 }, (_, n) => {
      const now = row.dueAt;
      row = recordUnreached(row, now);
      return [row.dueAt - now, n];
    }).map(([gap]) => gap);
    const [last] = EVENT_DELIVERY_GAPS_MS.slice(-1);
    expect(gaps).toEqual([...EVENT_DELIVERY_GAPS_MS, last, last]);
  });

  test("ends after a day, as delivered or not reached", () => {
    const late = T0 + EVENT_DELIVERY_MS_MAX + HOUR;
    expect(recordUnreached(taken(1), late - 1).status).toBe("going");
    expect(recordUnreached(taken(1), late)).toMatchObject({ status: "undeliverable", reason: "not_reached" });
    expect(recordUnreached(handed(taken(2), ["taken", "again"]), late)).toMatchObject({ status: "delivered" });
  });
});

describe("a waiting event", () => {
  test("is assigned to the first execution that registers its key", () => {
    const row = assignTo(taken(0), member(7), T0 + 9);
    expect(row).toMatchObject({ status: "going", dueAt: T0 + 9, recipients: [{ execution: "exe_7", outcome: null }] });
  });

  test("is given up when its time is over, and deleted a week later", () => {
    const row = expireEvent(taken(0), T0 + HOUR);
    expect(row).toMatchObject({
      status: "undeliverable",
      reason: "keep_expired",
      dueAt: T0 + HOUR + PUBLISHED_EVENT_KEPT_MS,
    });
    expect(row && expireEvent(row, row.dueAt)).toBeNull();
  });
});

describe("the result of an event that a trigger published", () => {
  const publisher = { trigger: "trg_1", delivery: "trd_7" };
  const published = (count: number, keepMs = HOUR): PublishedEventRow => {
    const row = taken(count, keepMs);
    return { ...row, event: { ...row.event, publisher } };
  };
  const report = { ...publisher, event: "evt_1", replayedAt: null };

  test("is reported at once: taken, or the refusal of the execution", () => {
    const delivered = handed(published(2), [no, "taken"]);
    expect(delivered).toMatchObject({ status: "delivered", isReportDue: true, dueAt: T0 + 1 });
    expect(reportOf(delivered)).toEqual({ ...report, result: "taken" });
    const refused = handed(published(1), [no]);
    expect(reportOf(refused)).toMatchObject({ ...report, result: { code: "event_too_late" } });
    const unwanted = expireEvent(published(0), T0 + HOUR);
    expect(unwanted && reportOf(unwanted)).toMatchObject({ ...report, result: { code: "keep_expired" } });
  });

  test("is reported only if a trigger published the event, and only once it is known", () => {
    expect(reportOf(handed(taken(1), ["taken"]))).toBeNull();
    expect(reportOf({ ...handed(taken(1), ["taken"]), isReportDue: true })).toBeNull();
    expect(reportOf(published(1))).toBeNull();
  });

  test("names the publication, so that a report of an earlier one is recognized", () => {
    const row = published(1);
    const replayed = handed({ ...row, event: { ...row.event, replayedAt: T0 + 5 } }, [no]);
    expect(reportOf(replayed)).toMatchObject({ replayedAt: T0 + 5 });
  });

  test("is reported again with growing gaps, until the trigger has deleted the delivery", () => {
    const row = handed(published(1), [no], T0);
    const [first, second] = EVENT_DELIVERY_GAPS_MS;
    const later = postponeReport(row, T0);
    expect(later).toMatchObject({ isReportDue: true, tries: 1, dueAt: T0 + first });
    expect(postponeReport(later, T0 + first)).toMatchObject({ tries: 2, dueAt: T0 + first + second });
    const late = T0 + DELIVERY_KEPT_MS;
    expect(postponeReport(later, late)).toEqual(endReport(later, late));
    expect(endReport(later, T0 + 9)).toMatchObject({
      status: "undeliverable",
      dueAt: T0 + 9 + PUBLISHED_EVENT_KEPT_MS,
    });
    expect(endReport(later, T0 + 9)).not.toHaveProperty("isReportDue");
  });
});

describe("the fault of an undeliverable event", () => {
  test.each([
    ["no execution has the key", taken(0, 0), "no_matching_execution"],
    ["all executions refused it", handed(taken(2), [no, { ...no, code: "execution_final" }]), "event_too_late"],
    ["no execution answered", recordUnreached(taken(1), T0 + EVENT_DELIVERY_MS_MAX + HOUR), "not_reached"],
    ["a reason of a later version", { ...taken(0, 0), reason: "new" }, "new"],
  ])("has the code of its cause: %s", (_case, row, code) => {
    expect(undeliverableFault(row)).toMatchObject({ code });
  });

  test("exists only for undeliverable events", () => {
    expect(undeliverableFault(handed(taken(1), ["taken"]))).toBeNull();
    expect(undeliverableFault({ ...taken(1), status: "undeliverable" })).toBeNull();
  });
});

describe("a replay", () => {
  const undeliverable = handed(taken(1), [no]);
  test("publishes an undeliverable event again, once for each replay", () => {
    expect(isReplayOf(event, undeliverable)).toBe(false);
    const replay = { ...event, replayedAt: T0 + 5 };
    expect(isReplayOf(replay, undeliverable)).toBe(true);
    expect(isReplayOf(replay, { ...undeliverable, event: replay })).toBe(false);
    expect(isReplayOf({ ...event, replayedAt: T0 + 6 }, { ...undeliverable, event: replay })).toBe(true);
    expect(isReplayOf(replay, handed(taken(1), ["taken"]))).toBe(false);
  });

  test("keeps the doubt about an answer that was lost", () => {
    const lost = recordUnreached(taken(1), T0 + EVENT_DELIVERY_MS_MAX + HOUR);
    expect(republish(taken(1), lost)).toMatchObject({ status: "going", inDoubt: true });
    expect(republish(taken(1), undeliverable)).toEqual(taken(1));
  });
});

test("a trigger that took the event does not replace the executions that refused it", () => {
  const accepted = acceptEvent({ ...event, triggers: ["trg_1"] }, members(1), 0, T0);
  if (!accepted.ok) throw new Error(accepted.refusal.message);
  expect(handed(accepted.value, [no, "taken"])).toMatchObject({ status: "undeliverable", reason: "not_accepted" });
  expect(handed(accepted.value, ["taken", no])).toMatchObject({ status: "delivered" });
  const alone = acceptEvent({ ...event, triggers: ["trg_1"] }, [], 0, T0);
  if (!alone.ok) throw new Error(alone.refusal.message);
  expect(handed(alone.value, ["taken"])).toMatchObject({ status: "delivered" });
});

test.each([
  ["no report is stored", null, true],
  ["a report of the same step is stored", member(0), false],
  ["a report of an earlier step is stored", { ...member(0), since: 0 }, true],
  ["a report of a later step is stored", { ...member(0), since: 2 }, false],
  ["a later step of an earlier incarnation is stored", { ...member(0), incarnation: T0 - 1, since: 99 }, true],
  ["a later incarnation is stored", { ...member(0), incarnation: T0 + 1, since: 0 }, false],
])("a report replaces the stored one or not: %s", (_what, known, expected) => {
  expect(isNewerReport(member(0), known)).toBe(expected);
});
