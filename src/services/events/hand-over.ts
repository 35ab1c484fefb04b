// Hands an event that was posted to those whom it concerns. Its id is the event's own, so that twice is once.
import type { HandedOver, Posted, Recipient } from "#schema/directory/calls.ts";
import { mayPass } from "#schema/refusal.ts";
import { sendEvent } from "../executions/send-event.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { bringEvent } from "./bring-event.ts";

export async function handOver(
  deps: Deps,
  tenant: string,
  event: Posted,
  recipients: readonly Recipient[],
): Promise<readonly HandedOver[]> {
  const caller: TenantCaller = { actor: event.actor, tenant, scopes: [] };
  const { id, type, payload, source, correlationId } = event;
  const one = async ({ execution, incarnation, isTrigger }: Recipient): Promise<HandedOver> => {
    if (isTrigger) return bringEvent(deps, tenant, execution, event);
    const input = { execution, incarnation, id, type, payload, source, correlationId, key: null, dryRun: false };
    const sent = await sendEvent(deps, caller, input);
    if (sent.ok) return "taken";
    if (mayPass(sent.refusal)) return "again";
    const { code, message } = sent.refusal;
    return { code, message };
  };
  const ends = await Promise.allSettled(recipients.map(one));
  return ends.map((end) => (end.status === "fulfilled" ? end.value : "again"));
}
