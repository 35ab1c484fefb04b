// Decides which executions receive a published event, how long the event waits for one, and when it is given up.
import {
  EVENT_DELIVERY_GAPS_MS,
  EVENT_DELIVERY_MS_MAX,
  EVENT_RECIPIENTS_MAX,
  PUBLISHED_EVENT_KEPT_MS,
  WAITING_EVENTS_MAX,
} from "#schema/limits/published-events.ts";
import type {
  EventReport,
  RecipientOutcome,
  KeyRegistration,
  PublishedEvent,
  PublishedEventRow,
  Recipient,
} from "#schema/directory/calls.ts";
import type { DeliveryFault } from "#schema/inbound/delivery.ts";
import { DELIVERY_KEPT_MS, DELIVERY_REASON_CHARS_MAX } from "#schema/limits/inbound/deliveries.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";

/**
 * Accepts an event. `members`: the executions with the event's key; the caller reads at most one more than the limit.
 * `kept`: how many events already wait for an execution.
 */
export function acceptEvent(
  event: PublishedEvent,
  members: readonly KeyRegistration[],
  kept: number,
  now: number,
): Result<PublishedEventRow> {
  if (members.length > EVENT_RECIPIENTS_MAX) return refuse(tooMany(event.key));
  const recipients = [...members.map(executionRecipient), ...(event.triggers ?? []).map(triggerRecipient)];
  const row = { event, at: now, recipients, reason: null, tries: 0 } as const;
  if (recipients.length > 0) return accept({ ...row, status: "going", dueAt: now });
  if (event.keepMs === 0) return accept(giveUp({ ...row, status: "going", dueAt: now }, "no_matching_execution", now));
  if (kept >= WAITING_EVENTS_MAX) return refuse(bufferFull);
  return accept({ ...row, status: "kept", dueAt: now + event.keepMs });
}

/**
 * Publishes an undeliverable event again, because an operator replayed its delivery. A lost answer of the first
 * publication is still in doubt.
 */
export function republish(accepted: PublishedEventRow, earlier: PublishedEventRow): PublishedEventRow {
  return earlier.inDoubt ? { ...accepted, inDoubt: true } : accepted;
}

/** Returns whether the request replays an event that no execution has accepted. */
export function isReplayOf({ replayedAt = 0 }: PublishedEvent, { status, event }: PublishedEventRow): boolean {
  return status === "undeliverable" && replayedAt > (event.replayedAt ?? 0);
}

/** Assigns a waiting event to the first execution that has registered the event's key. */
export function assignTo(row: PublishedEventRow, member: KeyRegistration, now: number): PublishedEventRow {
  return { ...row, status: "going", recipients: [executionRecipient(member)], dueAt: now };
}

/**
 * Records the outcomes of deliveries. `asked`: the recipients that had no outcome yet. `outcomes`: their outcomes, in
 * the same order.
 */
export function recordDeliveries(
  row: PublishedEventRow,
  asked: readonly Recipient[],
  outcomes: readonly RecipientOutcome[],
  now: number,
): PublishedEventRow {
  const outcomeOf = new Map(asked.map(({ execution }, n) => [execution, outcomes[n] ?? "again"]));
  const recipients = row.recipients.map((each) => {
    const outcome = each.outcome === null ? outcomeOf.get(each.execution) : undefined;
    return outcome === undefined || outcome === "again" ? each : { ...each, outcome };
  });
  const updated = { ...row, recipients };
  if ([...outcomeOf.values()].includes("again")) return recordUnreached(updated, now);
  if (recipients.some(({ outcome }) => outcome === null)) return { ...updated, tries: 0, dueAt: now };
  return conclude(updated, now);
}

/**
 * Plans another try of deliveries that had no response. The gap grows with each try, and the tries end with the event's
 * time.
 */
export function recordUnreached(row: PublishedEventRow, now: number): PublishedEventRow {
  const doubtful = { ...row, inDoubt: true } as const;
  if (now >= row.at + EVENT_DELIVERY_MS_MAX + row.event.keepMs) return conclude(doubtful, now);
  return { ...doubtful, tries: row.tries + 1, dueAt: now + gapAfter(row.tries) };
}

function gapAfter(tries: number): number {
  return Number(EVENT_DELIVERY_GAPS_MS[Math.min(tries, EVENT_DELIVERY_GAPS_MS.length - 1)]); // The index is at most that of the last gap.
}

/**
 * Ends an event whose time is over. An event that still waits is given up. Returns null if the event is finished, so
 * that its row can be deleted.
 */
export function expireEvent(row: PublishedEventRow, now: number): PublishedEventRow | null {
  return row.status === "kept" ? withReport(giveUp(row, "keep_expired", now), now) : null;
}

/** Returns why no execution accepted the event: its only refusal, or the first of several; null for other events. */
export function undeliverableFault({ status, reason, event, recipients }: PublishedEventRow): DeliveryFault | null {
  if (status !== "undeliverable" || reason === null) return null;
  const refusals = recipients.flatMap(({ execution, outcome }) =>
    outcome === null || outcome === "taken" ? [] : [{ execution, ...outcome }],
  );
  const [refusal] = refusals;
  if (refusal === undefined) return { code: reason, message: reasonTexts[reason]?.(event) ?? reason };
  const others = refusals.length === 1 ? "" : ` (and ${refusals.length - 1} more recipients refused it)`;
  const message = `${refusal.execution} refused the event ${event.type}: ${refusal.message}${others}`;
  return { code: refusal.code, message: message.slice(0, DELIVERY_REASON_CHARS_MAX) };
}

const reasonTexts: { readonly [reason: string]: (event: PublishedEvent) => string } = {
  no_matching_execution: ({ key }) => `No execution has the correlation key ${key}, and the event is not kept.`,
  keep_expired: ({ key }) => `No execution got the correlation key ${key} while the event was kept.`,
  not_reached: ({ key }) => `An execution with the correlation key ${key} could not be reached.`,
};

/** Returns the result of an event for the delivery that published it; null if no report is due. */
export function reportOf(row: PublishedEventRow): EventReport | null {
  const { publisher, id, replayedAt = null } = row.event;
  if (!row.isReportDue || publisher === undefined) return null;
  return { ...publisher, event: id, replayedAt, result: undeliverableFault(row) ?? "taken" };
}

/** Ends a report: the trigger has received it, or it is given up. */
export function endReport({ isReportDue: _isReportDue, ...row }: PublishedEventRow, now: number): PublishedEventRow {
  return keepForDisplay(row, now);
}

/** Repeats a report that had no response, with growing gaps. Gives up when the trigger has deleted the delivery. */
export function postponeReport(row: PublishedEventRow, now: number): PublishedEventRow {
  if (now >= row.at + DELIVERY_KEPT_MS) return endReport(row, now);
  return { ...row, tries: row.tries + 1, dueAt: now + gapAfter(row.tries) };
}

/** Codes of refusals by executions that had already ended while the directory still listed them. */
const GONE: ReadonlySet<string> = new Set(["execution_final", "not_found"]);

/** Ends the delivery to all recipients: the event is delivered or undeliverable, or waits for another execution. */
function conclude(row: PublishedEventRow, now: number): PublishedEventRow {
  const { at, event } = row;
  // A trigger that listens for the event does not replace the executions that the event is for.
  const executions = row.recipients.filter(({ isTrigger }) => !isTrigger);
  const recipients = executions.length > 0 ? executions : row.recipients;
  const areAllGone = recipients.every(
    ({ outcome }) => outcome !== null && outcome !== "taken" && GONE.has(outcome.code),
  );
  if (areAllGone && !row.inDoubt && now < at + event.keepMs) {
    return { ...row, status: "kept", recipients: [], tries: 0, dueAt: at + event.keepMs };
  }
  const isTaken = recipients.some(({ outcome }) => outcome === "taken");
  if (!isTaken) {
    const reason = recipients.some(({ outcome }) => outcome === null) ? "not_reached" : "not_accepted";
    return withReport(giveUp(row, reason, now), now);
  }
  // The journals of the recipients contain the payload, so it is removed from the row.
  const delivered = { ...row, status: "delivered", event: { ...row.event, payload: null } } as const;
  return withReport(keepForDisplay(delivered, now), now);
}

/** Makes a report due if a trigger published the event. */
function withReport(row: PublishedEventRow, now: number): PublishedEventRow {
  return row.event.publisher === undefined ? row : { ...row, isReportDue: true, dueAt: now };
}

function giveUp(row: PublishedEventRow, reason: string, now: number): PublishedEventRow {
  return keepForDisplay({ ...row, status: "undeliverable", reason }, now);
}

/** Keeps a finished event for some time, so that clients can read its outcome. */
function keepForDisplay(row: PublishedEventRow, now: number): PublishedEventRow {
  return { ...row, tries: 0, dueAt: now + PUBLISHED_EVENT_KEPT_MS };
}

function executionRecipient({ execution, incarnation }: KeyRegistration): Recipient {
  return { execution, incarnation, outcome: null };
}

function triggerRecipient(trigger: string): Recipient {
  return { execution: trigger, incarnation: 0, isTrigger: true, outcome: null };
}

function tooMany(key: string) {
  const message = `More than ${EVENT_RECIPIENTS_MAX} executions have the correlation key ${key}; the limit per event is ${EVENT_RECIPIENTS_MAX} (EVENT_RECIPIENTS_MAX).`;
  return {
    code: "limit_exceeded",
    message,
    hint: "Use a more specific correlation key, or send the event to each execution by its id.",
    errors: [{ pointer: "/correlationKey", code: "too_many", message }],
  } as const;
}

const bufferFull = {
  code: "event_buffer_full",
  message: `${WAITING_EVENTS_MAX} published events already wait for an execution. This is the limit (WAITING_EVENTS_MAX).`,
  hint: 'Publish the event later, or with "keep": false.',
} as const;
