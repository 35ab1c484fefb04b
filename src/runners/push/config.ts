// Push config: the schema of a message to one browser's subscription, or to devices registered at Firebase.
import { z } from "zod";
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { json } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import { absoluteUrl } from "../http/request.ts";

const key = z.string().regex(/^[A-Za-z0-9_+/-]+=*$/, { message: "must be base64url, as the browser returns it" });
const DAY_S = 24 * 60 * 60;
/** How long the provider tries to deliver the message, in seconds. Both providers accept at most four weeks. */
const ttl = z
  .number()
  .int()
  .min(0)
  .max(28 * DAY_S)
  .default(DAY_S);

/** False: also send to devices that have unsubscribed or were suppressed manually. Default: true. */
const heedSuppressions = z.boolean().optional();
/**
 * True: the message contains an address to which the device reports that the message has arrived or was opened. It is
 * the field receiptUrl of the data.
 */
const receipt = z.boolean().optional();

const webPush = z.strictObject({
  /** The provider follows from the fields: a subscription is for webpush, anything else is for fcm. */
  provider: z.literal("webpush").default("webpush"),
  connection: z.string().min(1).optional(),
  /** The subscription as PushSubscription.toJSON() returns it. */
  subscription: z.strictObject({
    endpoint: absoluteUrl,
    expirationTime: z.number().nullish(),
    keys: z.strictObject({ p256dh: key, auth: key }),
  }),
  /** The data that the page's service worker receives. A string is sent unchanged, any other value as JSON. */
  payload: json,
  ttl,
  urgency: z.enum(["very-low", "low", "normal", "high"]).default("normal"),
  /**
   * A newer message with the same topic replaces an undelivered one. Default: derived from the run's idempotency key.
   */
  topic: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, { message: "must be at most 32 letters, digits, _ and -" })
    .optional(),
  heedSuppressions,
  receipt,
});

const fcm = z
  .strictObject({
    provider: z.literal("fcm").default("fcm"),
    connection: z.string().min(1).optional(),
    token: z.string().min(1).max(4096).optional(),
    topic: z
      .string()
      .regex(/^[A-Za-z0-9._~%-]+$/, { message: "must be the name of a topic" })
      .max(900)
      .optional(),
    condition: z.string().min(1).max(1_000).optional(),
    notification: z
      .strictObject({ title: z.string().optional(), body: z.string().optional(), image: absoluteUrl.optional() })
      .optional(),
    /** Values are converted to text, because Firebase accepts only texts. */
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    priority: z.enum(["normal", "high"]).default("normal"),
    ttl,
    heedSuppressions,
    receipt,
  })
  .superRefine(({ token, topic, condition, notification, data }, context) => {
    const targets = [token, topic, condition].filter((target) => target !== undefined).length;
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (targets !== 1) refuse("token", 'exactly one of "token", "topic" and "condition" must be set');
    if (notification === undefined && data === undefined)
      refuse("notification", 'is missing: set "notification", "data" or both');
  });

export const pushConfig = z.union([webPush, fcm]);
export type WebPushConfig = z.infer<typeof webPush>;
export type FcmConfig = z.infer<typeof fcm>;
export type PushConfig = z.infer<typeof pushConfig>;

export type PushResult =
  | { readonly ok: true; readonly messageId: string | null; readonly bodyIncomplete?: BodyIncomplete }
  | (Failure & { readonly ok: false });
