// Deliveries of a trigger: lists, gets and replays them.
import { z } from "zod";
import { decodeCursor, encodeCursor, type Page } from "#catalog/page.ts";
import type { StoredTrigger } from "#catalog/triggers.ts";
import { senderResponse } from "#policy/inbound/sender-response.ts";
import type { Delivery, DeliveryStatus, ReplayItem, AcceptedDelivery } from "#schema/inbound/delivery.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { recordAudit } from "../audit/audit.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findNamed } from "../named/find-named.ts";
import { mapDelivery } from "./map-delivery.ts";
import { triggerTerms } from "./receive-hook.ts";
import { triggerNoun } from "./triggers.ts";

export type ListDeliveries = {
  readonly ref: string;
  readonly status: DeliveryStatus | null;
  readonly deliveryId: string | null;
  readonly cursor: string | null;
  readonly limit: number;
};

/** Lists the deliveries, the newest first. */
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
  const rows = await callWithRetry(() => deps.trigger(`${caller.tenant}/${found.value.id}`).list(query), "trigger");
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
  const read = await callWithRetry(() => deps.trigger(`${caller.tenant}/${found.value.id}`).read(id), "trigger");
  if (!read.ok) return read;
  return read.value === null ? refuse(noDelivery(id)) : accept(read.value);
}

export function noDelivery(id: string) {
  return {
    code: "not_found",
    message: `There is no delivery "${id}", or it was deleted.`,
    hint: "Deliveries are kept for ten days.",
  } as const;
}

type TriggerRequest = { readonly ref: string; readonly reason: string | null; readonly dryRun: boolean };
export type ReplayDeliveries = TriggerRequest & {
  readonly status: Extract<DeliveryStatus, "ignored" | "outdated" | "unmappable" | "failed">;
  readonly limit: number;
};
/** `more`: whether more deliveries with the requested status exist than this replay processed. */
export type ReplayResult = { readonly deliveries: readonly AcceptedDelivery[]; readonly more: boolean };

export async function replayDelivery(
  deps: Deps,
  caller: TenantCaller,
  { ref, id, reason, dryRun }: TriggerRequest & { readonly id: string },
): Promise<Result<AcceptedDelivery>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  const read = await callWithRetry(() => objectOf(deps, found.value).read(id), "trigger");
  if (!read.ok) return read;
  if (read.value === null) return refuse(noDelivery(id));
  const item = await itemOf(deps, found.value, read.value);
  if (!item.ok) return item;
  if (dryRun) return accept(previewOf(read.value, item.value));
  const replayed = await callWithRetry(
    () => objectOf(deps, found.value).replay(triggerTerms(found.value), [item.value]),
    "trigger",
  );
  if (!replayed.ok) return replayed;
  const [answer = refuse(noDelivery(id))] = replayed.value;
  if (answer.ok) await recordAudit(deps, caller, "trigger.replay", `${found.value.id}/${id}`, reason);
  return answer;
}

/** Replays the oldest deliveries with the requested status, at most `limit`. */
export async function replayDeliveries(
  deps: Deps,
  caller: TenantCaller,
  { ref, status, limit, reason, dryRun }: ReplayDeliveries,
): Promise<Result<ReplayResult>> {
  const found = await findNamed(deps, caller, triggerNoun, ref);
  if (!found.ok) return found;
  const query = { status, deliveryId: null, before: null, limit: limit + 1, oldestFirst: true } as const;
  const listed = await callWithRetry(() => objectOf(deps, found.value).list(query), "trigger");
  if (!listed.ok) return listed;
  const chosen = listed.value.slice(0, limit);
  const items: ReplayItem[] = [];
  for (const delivery of chosen) {
    const item = await itemOf(deps, found.value, delivery);
    if (item.ok) items.push(item.value);
    else if (item.refusal.code === "unavailable") return item;
  }
  const more = listed.value.length > limit;
  if (dryRun) {
    const byId = new Map(chosen.map((delivery) => [delivery.id, delivery]));
    return accept({ deliveries: items.flatMap((item) => previewsOf(byId.get(item.id), item)), more });
  }
  const replayed = await callWithRetry(
    () => objectOf(deps, found.value).replay(triggerTerms(found.value), items),
    "trigger",
  );
  if (!replayed.ok) return replayed;
  await recordAudit(deps, caller, "trigger.replay", found.value.id, reason);
  return accept({ deliveries: replayed.value.flatMap((each) => (each.ok ? [each.value] : [])), more });
}

function previewsOf(delivery: Delivery | undefined, item: ReplayItem): readonly AcceptedDelivery[] {
  return delivery === undefined ? [] : [previewOf(delivery, item)];
}

function objectOf(deps: Deps, { tenant, id }: StoredTrigger) {
  return deps.trigger(`${tenant}/${id}`);
}

async function itemOf(deps: Deps, row: StoredTrigger, { id, request, key }: Delivery): Promise<Result<ReplayItem>> {
  if (request === null) return refuse(requestGone(id));
  const mapped = await mapDelivery(deps, row, request, key);
  return mapped.ok ? accept({ id, ...mapped.value }) : mapped;
}

/**
 * Predicts the answer to a replay. Only the trigger's object knows the order of the deliveries, so the real replay may
 * still give `outdated`.
 */
function previewOf({ id, deliveryId }: Delivery, { mapped }: ReplayItem): AcceptedDelivery {
  const effect = mapped.kind === "effect" ? mapped.effect : null;
  return {
    id,
    deliveryId,
    status: mapped.kind === "effect" ? "pending" : mapped.kind,
    ...senderResponse(effect),
    reason: mapped.kind === "unmappable" ? mapped.reason : null,
  };
}

function requestGone(id: string) {
  return {
    code: "delivery_not_replayable",
    message: `The request of the delivery ${id} is no longer stored.`,
    hint: "The engine stores the requests of only the latest thousand successful deliveries.",
  } as const;
}
