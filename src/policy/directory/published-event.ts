// Decides who receives a published event, how long the event waits for an execution, and when it is given up.
import {
  EVENT_DELIVERY_GAPS_MS,
  EVENT_DELIVERY_MS_MAX,
  EVENT_RECIPIENTS_MAX,
  PUBLISHED_EVENT_KEPT_MS,
  WAITING_EVENTS_MAX,
} from "#schema/limits/published-events.ts";
import type {
  RecipientOutcome,
  KeyRegistration,
  PublishedEvent,
  PublishedEventRow,
  Recipient,
} from "#schema/directory/calls.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";

/**
 * Accepts an event. `members`: the executions with the event's key, at most one more than the limit. `kept`: the number
 * of events that wait for an execution.
 */
export function acceptEvent(
  event: PublishedEvent,
  members: readonly KeyRegistration[],
  kept: number,
  now: number,
): Result<PublishedEventRow> {
  if (members.length > EVENT_RECIPIENTS_MAX) return refuse(tooMany(event.key));
  const recipients = [...members.map(recipientOf), ...(event.triggers ?? []).map(triggerOf)];
  const row = { event, at: now, recipients, reason: null, tries: 0 } as const;
  if (recipients.length > 0) return accept({ ...row, status: "going", dueAt: now });
  if (event.keepMs === 0) return accept(givenUp({ ...row, status: "going", dueAt: now }, "nobody_there", now));
  if (kept >= WAITING_EVENTS_MAX) return refuse(full);
  return accept({ ...row, status: "kept", dueAt: now + event.keepMs });
}

/** Assigns a waiting event to the first execution that registers its key. */
export function assignTo(row: PublishedEventRow, member: KeyRegistration, now: number): PublishedEventRow {
  return { ...row, status: "going", recipients: [recipientOf(member)], dueAt: now };
}

/**
 * Records the outcomes of deliveries. `outcomes` has the order of `asked`, which are the recipients without an outcome.
 */
export function recordDeliveries(
  row: PublishedEventRow,
  asked: readonly Recipient[],
  outcomes: readonly RecipientOutcome[],
  now: number,
): PublishedEventRow {
  const of = new Map(asked.map(({ execution }, n) => [execution, outcomes[n] ?? "again"]));
  const recipients = row.recipients.map((each) => {
    const outcome = each.outcome === null ? of.get(each.execution) : undefined;
    return outcome === undefined || outcome === "again" ? each : { ...each, outcome };
  });
  const noted = { ...row, recipients };
  if ([...of.values()].includes("again")) return recordUnreached(noted, now);
  if (recipients.some(({ outcome }) => outcome === null)) return { ...noted, tries: 0, dueAt: now };
  return concluded(noted, now);
}

/** Repeats deliveries that had no response, with growing gaps, until the event's time is over. */
export function recordUnreached(row: PublishedEventRow, now: number): PublishedEventRow {
  const doubted = { ...row, inDoubt: true } as const;
  if (now >= row.at + EVENT_DELIVERY_MS_MAX + row.event.keepMs) return concluded(doubted, now);
  const gap = Number(EVENT_DELIVERY_GAPS_MS[Math.min(row.tries, EVENT_DELIVERY_GAPS_MS.length - 1)]); // the index is in range
  return { ...doubted, tries: row.tries + 1, dueAt: now + gap };
}

/**
 * Ends an event whose time is over: a waiting event is given up; null means that a finished event's row can be deleted.
 */
export function expireEvent(row: PublishedEventRow, now: number): PublishedEventRow | null {
  return row.status === "kept" ? givenUp(row, "nobody_came", now) : null;
}

/** Refusals by executions that had ended before the event was published, while the directory still listed them. */
const GONE: ReadonlySet<string> = new Set(["execution_final", "not_found"]);

function concluded(row: PublishedEventRow, now: number): PublishedEventRow {
  const { recipients, at, event } = row;
  const isNobody = recipients.every(({ outcome }) => outcome !== null && outcome !== "taken" && GONE.has(outcome.code));
  if (isNobody && !row.inDoubt && now < at + event.keepMs) {
    return { ...row, status: "kept", recipients: [], tries: 0, dueAt: at + event.keepMs };
  }
  const isTaken = recipients.some(({ outcome }) => outcome === "taken");
  if (!isTaken)
    return givenUp(row, recipients.some(({ outcome }) => outcome === null) ? "not_reached" : "not_taken", now);
  // The journals of the recipients contain the payload, so the row drops it.
  return remembered({ ...row, status: "delivered", event: { ...row.event, payload: null } }, now);
}

function givenUp(row: PublishedEventRow, reason: string, now: number): PublishedEventRow {
  return remembered({ ...row, status: "undeliverable", reason }, now);
}

function remembered(row: PublishedEventRow, now: number): PublishedEventRow {
  return { ...row, tries: 0, dueAt: now + PUBLISHED_EVENT_KEPT_MS };
}

function recipientOf({ execution, incarnation }: KeyRegistration): Recipient {
  return { execution, incarnation, outcome: null };
}

function triggerOf(trigger: string): Recipient {
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

const full = {
  code: "event_buffer_full",
  message: `${WAITING_EVENTS_MAX} published events already wait for an execution, which is the limit (WAITING_EVENTS_MAX).`,
  hint: 'Publish the event later, or with "keep": false.',
} as const;
