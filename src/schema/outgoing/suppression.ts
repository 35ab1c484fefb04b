// Suppressions: addresses that a tenant's messages must not be sent to, by channel.
import { z } from "zod";

/** The channels that have a suppression list. Each has the name of its action type. */
export const suppressionChannels = ["email", "sms", "push"] as const;
export const suppressionChannel = z.enum(suppressionChannels);
export type SuppressionChannel = z.infer<typeof suppressionChannel>;

/**
 * Why an address is suppressed, the strongest reason first. complaint: the receiver reported a message as spam.
 * hard_bounce: the address does not exist. gone: the device or browser has ended its subscription. unsubscribe: the
 * receiver asked for no more messages. manual: a client of the API added the address.
 */
export const suppressionReasons = ["complaint", "hard_bounce", "gone", "unsubscribe", "manual"] as const;
export const suppressionReason = z.enum(suppressionReasons);
export type SuppressionReason = z.infer<typeof suppressionReason>;

/**
 * Where a suppression comes from. `at`: the instant of the bounce, complaint or request, in epoch ms. `via`: link if the
 * receiver has called the unsubscribe link of an e-mail.
 */
export const suppressionSource = z.strictObject({
  execution: z.string().optional(),
  run: z.string().optional(),
  connection: z.string().optional(),
  actor: z.string().optional(),
  via: z.enum(["link"]).optional(),
  at: z.number(),
});
export type SuppressionSource = z.infer<typeof suppressionSource>;

/** The reasons of one suppressed address. It has each reason once, with the source that reported the reason first. */
export type ReasonSources = { readonly [reason in SuppressionReason]?: SuppressionSource };
