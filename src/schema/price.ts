// Prices: what one attempt costs, by action type or by type and provider. All prices have one currency.
import { z } from "zod";
import { ID_CHARS_MAX } from "./limits/api-requests.ts";
import { PRICES_MAX } from "./limits/tenants/tenant-quotas.ts";

export const priceOf = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_]*(\/[a-z0-9][a-z0-9_-]*)?$/, {
    message: "must be an action type, or type/provider such as sms/twilio",
  });

export const amounts = z
  .record(priceOf, z.number().nonnegative().max(1_000_000))
  .refine((prices) => Object.keys(prices).length <= PRICES_MAX, {
    message: `must have at most ${PRICES_MAX} prices (PRICES_MAX)`,
  });

export const currency = z.string().regex(/^[A-Z]{3}$/, { message: "must be an ISO 4217 code such as EUR" });

export type Prices = { readonly currency: string; readonly amounts: { readonly [of: string]: number } };
