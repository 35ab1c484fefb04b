// A delivery's row as the API returns it.
import type { Delivery, AcceptedDelivery } from "#schema/inbound/delivery.ts";
import type { DeliveryRow } from "./delivery-rows.ts";

export function takenOf({ seq, deliveryId, status, execution, event, reason, due }: DeliveryRow): AcceptedDelivery {
  return { id: `trd_${seq}`, deliveryId, status: due === null ? status : "pending", execution, event, reason };
}

export function deliveryOf(row: DeliveryRow): Delivery {
  const { at, tries, due, request, effect } = row;
  return { ...takenOf(row), receivedAt: at, tries, nextTryAt: due, key: effect?.key ?? null, request };
}

/** null: not an id of a delivery. */
export function numberOf(id: string): number | null {
  const [, seq] = /^trd_(\d{1,15})$/.exec(id) ?? [];
  return seq === undefined ? null : Number(seq);
}
