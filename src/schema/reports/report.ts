// Reports: what a provider or a device has reported about one message of a run. The catalog stores them, and derives
// from them the delivery status of the run.

/** One report, as the catalog stores it. `kind` is an event type such as email_bounced. */
export type MessageReport = {
  readonly tenant: string;
  readonly execution: string;
  readonly run: string;
  /** The id that the provider gave the report, behind the provider's name. A repeated report has the same id. */
  readonly id: string;
  readonly incarnation: number;
  /** The name of the run's definition. */
  readonly definition: string;
  readonly attempt: number | null;
  readonly kind: string;
  /** When it happened, in epoch ms. */
  readonly at: number;
  /** The report with the highest rank decides the delivery status (policy/inbound/callbacks/report-rank.ts). */
  readonly rank: number;
  readonly recipient: string | null;
  readonly messageId: string | null;
  readonly code: string | null;
  readonly reason: string | null;
};

/** The delivery status of one run. */
export type DeliveryStatus = Pick<
  MessageReport,
  "incarnation" | "attempt" | "kind" | "at" | "recipient" | "messageId" | "code" | "reason"
> & {
  /** The number of reports by kind. A message to several recipients has reports about each of them. */
  readonly counts: { readonly [kind: string]: number };
};

/** The action types whose messages are reported. Runs of other types have no delivery status. */
export const reportedTypes: ReadonlySet<string> = new Set(["docusign_envelope", "email", "push", "sms"]);
