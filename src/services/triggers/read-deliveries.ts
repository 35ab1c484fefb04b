// Reads what was delivered to a trigger, from its object.
import type { Delivery, DeliveryStatus } from "#schema/inbound/delivery.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { decodeCursor, encodeCursor, type Page } from "#catalog/page.ts";
import { z } from "zod";
import { reach } from "../cells/reach.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findNamed } from "../named/find-named.ts";
import { triggerNoun } from "./trigger-noun.ts";

export type ListDeliveries = {
  readonly ref: string;
  readonly status: DeliveryStatus | null;
  readonly deliveryId: string | null;
  readonly cursor: string | null;
  readonly limit: number;
};

/** Newest first. */
export async function listDeliveries(
  deps: Deps,
  caller: TenantCaller,
  { ref, status, deliveryId, cursor, limit }: ListDeliveries,
): Promise<Result<Page<Delivery>>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const query = { status, deliveryId, before: after.value?.[0] ?? null, limit: limit + 1 };
  const rows = await reach(() => deps.trigger(`${caller.tenant}/${found.value.id}`).list(query), "trigger");
  if (!rows.ok) return rows;
  const data = rows.value.slice(0, limit);
  const last = data.at(-1);
  return accept({ data, nextCursor: last && rows.value.length > limit ? encodeCursor([last.id]) : null });
}

export async function getDelivery(
  deps: Deps,
  caller: TenantCaller,
  { ref, id }: { readonly ref: string; readonly id: string },
): Promise<Result<Delivery>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  const read = await reach(() => deps.trigger(`${caller.tenant}/${found.value.id}`).read(id), "trigger");
  if (!read.ok) return read;
  return read.value === null ? refuse(noDelivery(id)) : accept(read.value);
}

export function noDelivery(id: string) {
  return {
    code: "not_found",
    message: `There is no delivery "${id}" (any more).`,
    hint: "Deliveries are kept for seven days.",
  } as const;
}
