// Callback limits: how many callbacks a sender may send, how large they may be, and how long reports are stored.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * The rate of callbacks about messages from one IP address to one connection. A provider sends several callbacks for each
 * message, from few addresses. `MESSAGE_CALLBACK_SENDER_RATE` limits an IP address over all paths.
 */
export const MESSAGE_CALLBACK_RATE = { perMinute: 12_000, burst: 2_000 } as const;
export const MESSAGE_CALLBACK_SENDER_RATE = { perMinute: 24_000, burst: 4_000 } as const;
/** The rate of receipts from one device's IP address. */
export const RECEIPT_RATE = { perMinute: 600, burst: 100 } as const;

/** The largest body of a callback with many messages. SendGrid collects events for up to 30 seconds. */
export const CALLBACK_BATCH_BYTES_MAX = 4 * 1024 * 1024;
/** The most messages in one callback. */
export const CALLBACK_MESSAGES_MAX = 5_000;
/**
 * The most executions that one callback reaches. The provider sends the callback again for the remaining ones. Each costs
 * two calls of an object, and a Worker may make 10,000.
 */
export const CALLBACK_EXECUTIONS_MAX = 1_000;

/** The number of executions that one callback reaches at a time. */
export const CALLBACK_EXECUTIONS_AT_ONCE = 24;
/** The most reports that one catalog statement stores. */
export const REPORTS_PER_STATEMENT = 500;

/**
 * The accepted age of a callback. DocuSign repeats a callback for days with its original time. SendGrid repeats it for a
 * day. A wide window is safe, because a report's id makes it apply once.
 */
export const CALLBACK_AGE_MS = { docusign: 16 * DAY, sendgrid: 3 * DAY, resend: 5 * MINUTE } as const;
/** The accepted age of each message in a callback. */
export const MESSAGE_AGE_MS = CALLBACK_AGE_MS.docusign;
/** How far the time of a callback may be in the future. */
export const CALLBACK_AHEAD_MS = 10 * MINUTE;

/** The longest URL of a clicked link that an event contains. */
export const CLICKED_URL_CHARS_MAX = 2_000;
/** The longest address, message id or code of a report. */
export const REPORT_TEXT_CHARS_MAX = 320;
/** The longest part of an event's id that comes from Twilio. Its ids have 34 characters. */
export const SID_CHARS_MAX = 40;
/** The most reports that are stored and counted of one run. */
export const REPORTS_PER_RUN_MAX = 5_000;
/** How long reports and delivery statuses are stored. */
export const REPORTS_KEPT_MS = 90 * DAY;
/** The most counters in one list of figures. */
export const REPORT_DAY_ROWS_MAX = 5_000;
/** How long a device may use the address of a push message's receipt. */
export const RECEIPT_VALID_MS = 35 * DAY;
