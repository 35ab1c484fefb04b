// Delivery of a published event to the matched executions and triggers. The directory object calls it over RPC.
import type { RecipientOutcome, PublishedEvent, Recipient } from "#schema/directory/calls.ts";
import type { StoredRequest } from "#schema/inbound/delivery.ts";
import { mayPass, type Refusal } from "#schema/refusal.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { sendEvent } from "../executions/control-execution.ts";
import { findHook } from "../triggers/hook-token.ts";
import { mapDelivery } from "../triggers/map-delivery.ts";
import { triggerTerms } from "../triggers/receive-hook.ts";

export async function deliverToTrigger(
  deps: Deps,
  tenant: string,
  trigger: string,
  event: PublishedEvent,
): Promise<RecipientOutcome> {
  const row = await findHook(deps, tenant, trigger);
  if (row === null) return { code: "not_found", message: "the trigger was deleted" };
  if (row.standing.disabled !== null) return { code: "trigger_closed", message: "the trigger is disabled" };
  const request = deliveryRequest(event, deps.now());
  const mapped = await mapDelivery(deps, row, request, null);
  if (!mapped.ok) return outcomeOfRefusal(mapped.refusal);
  const arrival = { identity: `~event/${event.id}`, request, ...mapped.value };
  const stored = await callWithRetry(
    () => deps.trigger(`${tenant}/${trigger}`).receiveDeliveries(triggerTerms(row), [arrival]),
    "trigger",
  );
  if (!stored.ok) return outcomeOfRefusal(stored.refusal);
  return stored.value.ok ? "taken" : outcomeOfRefusal(stored.value.refusal);
}

/** Builds the delivery that a trigger's mapping reads: `request.body` is the event. */
function deliveryRequest(
  { id, type, key, payload, source, correlationId }: PublishedEvent,
  now: number,
): StoredRequest {
  const body = { id, type, correlationKey: key, payload, source, correlationId };
  return { method: "POST", query: {}, headers: {}, body, deliveryId: id, receivedAt: new Date(now).toISOString() };
}

/**
 * Returns the outcome `again` if the trigger may accept the event later; the directory then retries. Otherwise returns
 * the refusal.
 */
function outcomeOfRefusal(refusal: Refusal): RecipientOutcome {
  const { code, message } = refusal;
  return mayPass(refusal) || code === "rate_limited" || code === "deliveries_full" ? "again" : { code, message };
}

export async function deliverEvent(
  deps: Deps,
  tenant: string,
  event: PublishedEvent,
  recipients: readonly Recipient[],
): Promise<readonly RecipientOutcome[]> {
  const caller: TenantCaller = { actor: event.actor, tenant, scopes: [] };
  const { id, type, payload, source, correlationId } = event;
  const deliverOne = async ({ execution, incarnation, isTrigger }: Recipient): Promise<RecipientOutcome> => {
    if (isTrigger) return deliverToTrigger(deps, tenant, execution, event);
    const input = { execution, incarnation, id, type, payload, source, correlationId, key: null, dryRun: false };
    const sent = await sendEvent(deps, caller, input);
    if (sent.ok) return "taken";
    if (mayPass(sent.refusal)) return "again";
    const { code, message } = sent.refusal;
    return { code, message };
  };
  const results = await Promise.allSettled(recipients.map(deliverOne));
  return results.map((result) => (result.status === "fulfilled" ? result.value : "again"));
}
