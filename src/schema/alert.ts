// Alert channels: the recipients of a tenant's failures, which failures they get, and how often.
import { z } from "zod";
import { anyObject, namespace } from "./values.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "./limits/api-requests.ts";
import { ALERT_FILTER_MAX } from "./limits/upkeep/alert-throttle.ts";
import { duration } from "./definition/timing.ts";

/**
 * critical: a dead letter of an action marked as critical. high: an execution failed, or was paused by the engine.
 * warning: any other dead letter.
 */
export const alertSeverities = ["critical", "high", "warning"] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const alertCodes = ["action_failed", "execution_failed", "execution_paused"] as const;
export type AlertCode = (typeof alertCodes)[number];

/** About the tenant as a whole, independent of namespace and definition. */
export type TenantAlertCode = "connection_needs_attention" | "deliveries_stuck" | "poller_frozen" | "success_rate_low";

/** Each is sent as an action of the same type. */
export const alertKinds = ["email", "slack", "webhook"] as const;
export type AlertKind = (typeof alertKinds)[number];

const alertChannelName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, { message: "must be a lower-case letter, then lower-case letters, digits, _ or -" });

const severities = z
  .array(z.enum(alertSeverities))
  .min(1)
  .refine((list) => new Set(list).size === list.length, { message: "names a severity twice" });

export const alertChannel = z.strictObject({
  name: alertChannelName,
  /** The config of an action of this type, without the fields that the alert sets. */
  channel: z.strictObject({ kind: z.enum(alertKinds), config: anyObject }),
  severities: severities.default(["critical", "high"]),
  /** Of failures of one kind, only the first in each such period is alerted; 0: every one. */
  throttle: duration.default("PT5M"),
  namespaces: z.array(namespace).min(1).max(ALERT_FILTER_MAX).optional(),
  /** Names of definitions; `$action` means standalone actions. */
  definitions: z.array(z.string().min(1).max(ID_CHARS_MAX)).min(1).max(ALERT_FILTER_MAX).optional(),
  /** Also failures that their machine has handled; critical ones are always alerted. */
  handled: z.boolean().optional(),
  /** Alerts on each day (UTC) with a lower share of successes among due actions. */
  successRateBelow: z.number().gt(0).max(1).optional(),
  enabled: z.boolean().default(true),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional(),
});
export type AlertChannel = z.infer<typeof alertChannel>;
/** Stored besides id, name and enabled. */
export type AlertChannelSettings = Omit<AlertChannel, "name" | "enabled">;

/** One failure that may be alerted. */
export type Failure = {
  readonly severity: AlertSeverity;
  readonly code: AlertCode;
  readonly tenant: string;
  readonly namespace: string;
  /** The definition's name. */
  readonly definition: string;
  readonly execution: string;
  readonly correlationId: string | null;
  /** null: it is about the execution itself. */
  readonly action: string | null;
  readonly run: string | null;
  readonly attempts: number | null;
  readonly failedAt: number;
  /** Its machine has handled it. */
  readonly handled?: true;
  /** For a journey: its client, in words. */
  readonly journey?: { readonly client: string | null };
  readonly errorType: string | null;
  readonly errorCode: string | null;
  readonly error: string | null;
};

/** Failures of one kind in one period: one alert. */
export type AlertGroup = Pick<Failure, "severity" | "code" | "definition" | "action"> & {
  /** Distinguishes this group from every other of the same channel. */
  readonly identity: string;
  readonly bucket: number;
  /** Until when failures of this kind are not alerted; null: every one is. */
  readonly silentUntil: number | null;
  /** Oldest first. */
  readonly failures: readonly Failure[];
};

/** An event that needs an operator, and is not a failure of one execution. */
export type TenantAlert = {
  readonly severity: AlertSeverity;
  readonly code: TenantAlertCode;
  readonly tenant: string;
  /** The name of the connection or trigger. */
  readonly subject: string;
  readonly at: number;
  readonly error: { readonly type: string; readonly code: string | null; readonly message: string };
  readonly nextStep: string;
  /** Paths of the API. */
  readonly look: readonly string[];
};
