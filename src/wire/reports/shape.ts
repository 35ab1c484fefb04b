// Delivery statuses and their figures: API shapes.
import { z } from "zod";
import { instant } from "#schema/values.ts";

export const delivery = z
  .object({
    status: z
      .string()
      .meta({
        description: "The latest step of the message, such as delivered, bounced or opened.",
        examples: ["delivered"],
      }),
    event: z.string().meta({ description: "The event that reported it.", examples: ["email_delivered"] }),
    at: instant,
    attempt: z.number().int().nullable().meta({ description: "The attempt that sent the message." }),
    messageId: z.string().nullable().meta({ description: "The provider's id of the message." }),
    recipient: z.string().nullable().meta({ description: "The recipient that the report is about; null if unknown." }),
    code: z.string().nullable().meta({ description: "The provider's code; null if it gave none." }),
    reason: z.string().nullable().meta({ description: "The provider's reason; null if it gave none." }),
    counts: z
      .record(z.string(), z.number().int())
      .meta({
        description: "The number of reports by status. A message to several recipients has several reports.",
        examples: [{ delivered: 2, bounced: 1 }],
      }),
  })
  .meta({ id: "DeliveryStatus", description: "What the provider has reported about the message." });
export type ApiDelivery = z.infer<typeof delivery>;

/** The field of runs and actions. */
export const deliveryField = delivery
  .nullable()
  .meta({ description: "What the provider has reported about the run's message; null if nothing was reported." });

export const reportDays = z
  .object({
    data: z.array(
      z.object({
        date: z.string().meta({ description: "The UTC day.", examples: ["2026-11-20"] }),
        definition: z.string().meta({ description: "The definition's name." }),
        counts: z
          .record(z.string(), z.number().int())
          .meta({
            description: "The number of reports by event.",
            examples: [{ email_delivered: 97, email_bounced: 3 }],
          }),
      }),
    ),
  })
  .meta({ id: "DeliveryDays" });
export type ApiReportDays = z.infer<typeof reportDays>;
