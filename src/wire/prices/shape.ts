// Prices: API shapes.
import { z } from "zod";
import { amounts, currency } from "#schema/price.ts";
import { putAnswer } from "../configuration/shape.ts";
import { instant } from "#schema/values.ts";

export const setPricesBody = z
  .strictObject({
    currency,
    prices: amounts.meta({
      description:
        "The price of one attempt, by action type or by type/provider. A price with a provider takes precedence.",
    }),
  })
  .meta({ id: "SetPrices", examples: [{ currency: "EUR", prices: { email: 0.001, "sms/twilio": 0.0079 } }] });
export type SetPricesBody = z.input<typeof setPricesBody>;

export const prices = z
  .object({
    currency: z.string().nullable().meta({ description: "The currency; null if no prices are set." }),
    prices: z.record(z.string(), z.number()),
    updatedAt: instant.nullable(),
  })
  .meta({ id: "Prices" });
export type ApiPrices = z.infer<typeof prices>;

export const changedPrices = putAnswer(prices.extend({ dryRun: z.boolean() }), "ChangedPrices");
export type ApiChangedPrices = z.infer<typeof changedPrices>;
