// What a definition may say of a push message: to one browser's subscription, or to devices known to Firebase.
import { z } from "zod";
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { json } from "#schema/json.ts";
import type { Failure } from "../core/classify.ts";
import { absoluteUrl } from "../http/request.ts";

const key = z.string().regex(/^[A-Za-z0-9_+/-]+=*$/, { message: "base64url, as the browser gives it" });
const DAY_S = 24 * 60 * 60;
/** How long the provider keeps trying to deliver; both take four weeks at most. */
const ttl = z
  .number()
  .int()
  .min(0)
  .max(28 * DAY_S)
  .default(DAY_S);

const webPush = z.strictObject({
  provider: z.literal("webpush"),
  connection: z.string().min(1).optional(),
  /** As PushSubscription.toJSON() gives it. */
  subscription: z.strictObject({
    endpoint: absoluteUrl,
    expirationTime: z.number().nullish(),
    keys: z.strictObject({ p256dh: key, auth: key }),
  }),
  /** What the page's service worker gets; a string as it is, everything else as JSON. */
  payload: json,
  ttl,
  urgency: z.enum(["very-low", "low", "normal", "high"]).default("normal"),
  /** A newer message under the same topic replaces one that waits. Default: one made of the run's key. */
  topic: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, { message: "at most 32 letters, digits, _ and -" })
    .optional(),
});

const fcm = z
  .strictObject({
    provider: z.literal("fcm"),
    connection: z.string().min(1).optional(),
    token: z.string().min(1).max(4096).optional(),
    topic: z
      .string()
      .regex(/^[A-Za-z0-9._~%-]+$/, { message: "a topic's name" })
      .max(900)
      .optional(),
    condition: z.string().min(1).max(1_000).optional(),
    notification: z
      .strictObject({ title: z.string().optional(), body: z.string().optional(), image: absoluteUrl.optional() })
      .optional(),
    /** Texts only, says Firebase; numbers and truths are written out. */
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    priority: z.enum(["normal", "high"]).default("normal"),
    ttl,
  })
  .superRefine(({ token, topic, condition, notification, data }, context) => {
    const targets = [token, topic, condition].filter((target) => target !== undefined).length;
    const refuse = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
    if (targets !== 1) refuse("token", "exactly one of token, topic, condition");
    if (notification === undefined && data === undefined) refuse("notification", "notification or data, or both");
  });

export const pushConfig = z.discriminatedUnion("provider", [webPush, fcm]);
export type WebPushConfig = z.infer<typeof webPush>;
export type FcmConfig = z.infer<typeof fcm>;
export type PushConfig = z.infer<typeof pushConfig>;

export type Pushed =
  | { readonly ok: true; readonly messageId: string | null; readonly bodyIncomplete?: BodyIncomplete }
  | (Failure & { readonly ok: false });
