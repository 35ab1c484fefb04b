// Delivery views: converts the row of a delivery to the form in the API's responses.
import type { Delivery, AcceptedDelivery } from "#schema/inbound/delivery.ts";
import type { DeliveryRow } from "./delivery-rows.ts";

export function deliveryIdForSeq(seq: number): string {
  return `trd_${seq}`;
}

export function takenOf({ seq, deliveryId, status, execution, event, reason, due }: DeliveryRow): AcceptedDelivery {
  return { id: deliveryIdForSeq(seq), deliveryId, status: due === null ? status : "pending", execution, event, reason };
}

export function deliveryOf(row: DeliveryRow): Delivery {
  const { at, tries, due, request, effect } = row;
  return { ...takenOf(row), receivedAt: at, tries, nextTryAt: due, key: effect?.key ?? null, request };
}

/** Returns the number in a delivery's id; null if the text is not a delivery's id. */
export function numberOf(id: string): number | null {
  const [, seq] = /^trd_(\d{1,15})$/.exec(id) ?? [];
  return seq === undefined ? null : Number(seq);
}
