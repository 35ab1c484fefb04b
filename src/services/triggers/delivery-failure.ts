// Delivery failures: converts a refusal to the reason that is stored with a delivery: the fault, and how to correct it.
import type { DeliveryFault } from "#schema/inbound/delivery.ts";
import { DELIVERY_REASON_CHARS_MAX } from "#schema/limits/inbound/deliveries.ts";
import type { Refusal } from "#schema/refusal.ts";

export function deliveryFailureOf({ code, message, hint }: Refusal): DeliveryFault {
  const text = hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`;
  return { code, message: text.slice(0, DELIVERY_REASON_CHARS_MAX) };
}
