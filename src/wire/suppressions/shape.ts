// Suppressions: API shapes of addresses that a tenant's messages must not be sent to.
import { z } from "zod";
import { SUPPRESSED_TOKEN_CHARS_MAX, SUPPRESSIONS_PER_REQUEST_MAX } from "#schema/limits/outgoing/suppression-sizes.ts";
import { suppressionChannel, suppressionReason } from "#schema/outgoing/suppression.ts";
import { instant, reason } from "#schema/values.ts";
import { pageQueryWith } from "../query.ts";

const channel = suppressionChannel.meta({
  description: "The channel, which is the type of the actions that check the list.",
});
const address = z
  .string()
  .min(1)
  .max(SUPPRESSED_TOKEN_CHARS_MAX)
  .meta({
    description:
      "An e-mail address, a phone number in E.164 form, or a push token or endpoint. Of push messages, the list shows and accepts the SHA-256, such as `sha256:…`.",
    examples: ["ada@example.com"],
  });
const why = suppressionReason.meta({ description: "Why the address is suppressed." });

export const suppressionParams = z.object({ channel, address });
export const listSuppressionsQuery = pageQueryWith({
  channel: channel.optional(),
  reason: why.optional().meta({ description: "Only addresses with this reason." }),
});

export const addSuppressionsBody = z
  .strictObject({
    suppressions: z
      .array(
        z.strictObject({
          channel,
          address,
          reason: why.default("manual").meta({ description: "Why the address is suppressed. Default: `manual`." }),
        }),
      )
      .min(1)
      .max(SUPPRESSIONS_PER_REQUEST_MAX),
    reason: reason.optional(),
  })
  .meta({
    id: "AddSuppressions",
    examples: [{ suppressions: [{ channel: "email", address: "ada@example.com", reason: "unsubscribe" }] }],
  });
export type AddSuppressionsBody = z.input<typeof addSuppressionsBody>;

export const addedSuppressions = z
  .object({
    added: z.number().int().meta({ description: "The number of addresses that have received a new reason." }),
    unchanged: z.number().int().meta({ description: "The number of addresses that already had their reason." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "AddedSuppressions" });
export type ApiAddedSuppressions = z.infer<typeof addedSuppressions>;

const source = z.object({
  reason: why,
  at: instant.meta({ description: "The instant of the bounce, complaint or request." }),
  execution: z.string().nullable().meta({ description: "The execution whose message was reported; null if unknown." }),
  run: z.string().nullable(),
  connection: z.string().nullable(),
  actor: z.string().nullable().meta({ description: "The API key that added the reason; null if no client did." }),
  via: z
    .enum(["link"])
    .nullable()
    .meta({ description: "`link` if the receiver used the unsubscribe link of an e-mail; otherwise null." }),
});

export const suppression = z
  .object({
    channel,
    address: z.string(),
    reason: why.meta({ description: "The strongest of the reasons." }),
    reasons: z.array(source).meta({ description: "All reasons, the strongest first." }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Suppression" });
export type ApiSuppression = z.infer<typeof suppression>;

export const deletedSuppression = suppression.extend({ dryRun: z.boolean() }).meta({ id: "DeletedSuppression" });
export type ApiDeletedSuppression = z.infer<typeof deletedSuppression>;
