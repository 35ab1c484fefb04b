// Alert channels: where the alerts about a tenant's failures are sent, which failures each channel gets, and how often.
import { z } from "zod";
import { anyObject, namespace } from "./values.ts";
import { isIdOf } from "./ids.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "./limits/api-requests.ts";
import { ALERT_FILTER_MAX } from "./limits/upkeep/alert-throttle.ts";
import { duration } from "./definition/timing.ts";
import type { ExecutionRow } from "./engine/projection.ts";

/**
 * critical: a dead letter of a critical action. high: the execution failed, or the engine paused it. warning: a dead
 * letter that is not critical.
 */
export const alertSeverities = ["critical", "high", "warning"] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const alertCodes = ["action_failed", "execution_failed", "execution_paused"] as const;
export type AlertCode = (typeof alertCodes)[number];

/** Codes of alerts about the tenant as a whole. Such an alert belongs to no namespace and no definition. */
export type TenantAlertCode = "connection_needs_attention" | "deliveries_stuck" | "poller_frozen" | "success_rate_low";

/** The kinds of alert channels. Each kind is also the type of the action that sends the channel's alerts. */
export const alertKinds = ["email", "slack", "webhook"] as const;
export type AlertKind = (typeof alertKinds)[number];

const alertChannelName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  })
  .refine((name) => !isIdOf("alc", name), { message: "must not begin with alc_, which is reserved for ids" });

const severities = z
  .array(z.enum(alertSeverities))
  .min(1)
  .refine((list) => new Set(list).size === list.length, { message: "names a severity twice" });

export const alertChannel = z.strictObject({
  name: alertChannelName,
  /** The config of the action that sends an alert, without the fields that the alert sets. */
  channel: z.strictObject({ kind: z.enum(alertKinds), config: anyObject }),
  severities: severities.default(["critical", "high"]),
  /**
   * The period in which equal failures raise only one alert, at the first failure. 0: every failure raises an alert.
   */
  throttle: duration.default("PT5M"),
  namespaces: z.array(namespace).min(1).max(ALERT_FILTER_MAX).optional(),
  /** Names of definitions; `$action` selects standalone actions. */
  definitions: z.array(z.string().min(1).max(ID_CHARS_MAX)).min(1).max(ALERT_FILTER_MAX).optional(),
  /**
   * True: failures that the definition has handled raise alerts as well. Failures of critical actions always raise
   * alerts.
   */
  handled: z.boolean().optional(),
  /** If the share of successful due actions of a day (UTC) is below this value, an alert about that day is raised. */
  successRateBelow: z.number().gt(0).max(1).optional(),
  enabled: z.boolean().default(true),
  description: z.string().max(DESCRIPTION_CHARS_MAX).optional(),
});
export type AlertChannel = z.infer<typeof alertChannel>;
/** The settings of an alert channel in the catalog's JSON column. */
export type AlertChannelSettings = Omit<AlertChannel, "name" | "enabled">;

/** The last run that failed permanently before its execution failed or was paused. */
export type FailedRun = NonNullable<ExecutionRow["lastFailure"]>;

/** One failure that may raise an alert. */
export type Failure = {
  readonly severity: AlertSeverity;
  readonly code: AlertCode;
  readonly tenant: string;
  readonly namespace: string;
  /** The definition's name. */
  readonly definition: string;
  readonly execution: string;
  readonly correlationId: string | null;
  /** The active states or nodes of the execution. Absent for a failure of a run. */
  readonly states?: readonly string[];
  /** Set for a failure of the execution itself: the last run that failed permanently before it; null if none did. */
  readonly lastFailure?: FailedRun | null;
  /** The action that failed; null for a failure of the execution itself. */
  readonly action: string | null;
  readonly run: string | null;
  readonly attempts: number | null;
  readonly failedAt: number;
  /** True: the definition has handled the failure. Absent: it has not. */
  readonly handled?: true;
  /**
   * Set for a failure of a journey. `client` is the name of the journey's client, which the alert shows; null if
   * unknown.
   */
  readonly journey?: { readonly client: string | null };
  readonly errorType: string | null;
  readonly errorCode: string | null;
  readonly error: string | null;
};

/** Equal failures within one throttle period. One alert reports all of them. */
export type AlertGroup = Pick<Failure, "severity" | "code" | "definition" | "action"> & {
  /** A text that distinguishes this group from all other groups of the same alert channel. */
  readonly identity: string;
  readonly bucket: number;
  /** Until this time, in epoch ms, equal failures raise no further alert. Null: every failure raises an alert. */
  readonly silentUntil: number | null;
  /** The failures, oldest first. */
  readonly failures: readonly Failure[];
};

/** An alert that is not about a single execution and that an operator must act on. */
export type TenantAlert = {
  readonly severity: AlertSeverity;
  readonly code: TenantAlertCode;
  readonly tenant: string;
  /** The name of the connection or trigger that the alert is about. */
  readonly subject: string;
  readonly at: number;
  readonly error: { readonly type: string; readonly code: string | null; readonly message: string };
  readonly nextStep: string;
  /** API paths where an operator finds further details. */
  readonly look: readonly string[];
};
