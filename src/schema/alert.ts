// Alert channels: to whom a tenant's failures are told, which of them, and how often.
import { z } from "zod";
import { anyObject, namespace } from "./values.ts";
import { limits } from "./limits.ts";
import { duration } from "./definition/timing.ts";

/**
 * critical: a dead letter of something that must not fail quietly. high: an execution failed, or was paused by the
 * engine. warning: a dead letter besides.
 */
export const alertSeverities = ["critical", "high", "warning"] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const alertCodes = ["action_failed", "execution_failed", "execution_paused"] as const;
export type AlertCode = (typeof alertCodes)[number];

/** About the tenant as a whole, whatever the namespace or definition. */
export type NoticeCode = "connection_needs_attention" | "deliveries_stuck" | "poller_frozen" | "success_rate_low";

/** Each is sent as an action of the same type. */
export const alertKinds = ["email", "slack", "webhook"] as const;
export type AlertKind = (typeof alertKinds)[number];

const alertChannelName = z
  .string()
  .max(limits.idLengthMax)
  .regex(/^[a-z][a-z0-9_-]*$/, { message: "a small letter, then small letters, digits, _ or -" });

const severities = z
  .array(z.enum(alertSeverities))
  .min(1)
  .refine((list) => new Set(list).size === list.length, { message: "names a severity twice" });

export const alertChannel = z.strictObject({
  name: alertChannelName,
  /** The config is that of an action of this type, without what the alert itself says. */
  channel: z.strictObject({ kind: z.enum(alertKinds), config: anyObject }),
  severities: severities.default(["critical", "high"]),
  /** Of alike failures only the first in each such stretch of time is told; 0: every one. */
  throttle: duration.default("PT5M"),
  namespaces: z.array(namespace).min(1).max(limits.alertFilterMax).optional(),
  /** Names of definitions; `$action` are actions on their own. */
  definitions: z.array(z.string().min(1).max(limits.idLengthMax)).min(1).max(limits.alertFilterMax).optional(),
  /** Also failures that their machine has taken care of; critical ones are told in any case. */
  handled: z.boolean().optional(),
  /** Told of each day (UTC) on which less than this share of what was due went well. */
  successRateBelow: z.number().gt(0).max(1).optional(),
  enabled: z.boolean().default(true),
  description: z.string().max(limits.descriptionCharsMax).optional(),
});
export type AlertChannel = z.infer<typeof alertChannel>;
/** What is stored beside id, name and enabled. */
export type AlertChannelSettings = Omit<AlertChannel, "name" | "enabled">;

/** One failure worth telling. */
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
  /** Its machine has taken care of it. */
  readonly handled?: true;
  /** Of a journey: whom it is about, in words. */
  readonly journey?: { readonly client: string | null };
  readonly errorType: string | null;
  readonly errorCode: string | null;
  readonly error: string | null;
};

/** Alike failures of one stretch of time: one alert. */
export type AlertGroup = Pick<Failure, "severity" | "code" | "definition" | "action"> & {
  /** Tells this group from every other of the same channel. */
  readonly identity: string;
  readonly bucket: number;
  /** Until when alike failures are not told; null: every one is. */
  readonly silentUntil: number | null;
  /** Oldest first. */
  readonly failures: readonly Failure[];
};

/** Something that a person should do, and that is no failure of one execution. */
export type Notice = {
  readonly severity: AlertSeverity;
  readonly code: NoticeCode;
  readonly tenant: string;
  /** What it is about: the name of a connection or a trigger. */
  readonly subject: string;
  readonly at: number;
  readonly error: { readonly type: string; readonly code: string | null; readonly message: string };
  readonly nextStep: string;
  /** Paths of the API. */
  readonly look: readonly string[];
};
