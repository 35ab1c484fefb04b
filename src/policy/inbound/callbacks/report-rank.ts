// Report ranks: order the reports about one message, so that the delivery status does not depend on the order in which
// reports arrive. The report with the highest rank decides the status.

/**
 * Reports with proof of a later step have a higher level: an opened message was delivered, even if that report is
 * missing. Within a level the later report decides, and after it the failure: a server may return a message that it had
 * accepted.
 */
const LEVELS: { readonly [kind: string]: readonly [level: number, isFailure: boolean] } = {
  sms_sent: [0, false],
  envelope_sent: [0, false],
  email_deferred: [1, true],
  email_delivered: [2, false],
  email_bounced: [2, true],
  email_dropped: [2, true],
  sms_delivered: [2, false],
  sms_undelivered: [2, true],
  sms_failed: [2, true],
  email_opened: [3, false],
  sms_read: [3, false],
  push_received: [3, false],
  envelope_delivered: [3, false],
  email_clicked: [4, false],
  push_opened: [4, false],
  email_unsubscribed: [5, true],
  envelope_completed: [5, false],
  envelope_declined: [5, true],
  envelope_voided: [5, true],
  email_complained: [6, true],
};

/** More than twice the milliseconds until the year 3000. */
const LEVEL_SIZE = 2 ** 46;

/** Returns the rank of a report; null if reports of this kind are no part of the delivery status. */
export function reportRank(kind: string, at: number): number | null {
  const [level, isFailure] = LEVELS[kind] ?? [null, false];
  return level === null ? null : level * LEVEL_SIZE + at * 2 + (isFailure ? 1 : 0);
}
