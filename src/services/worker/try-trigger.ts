// Deliveries by an operator: sends a delivery to a trigger, as if its sender had sent it, and returns the result of the
// mapping. If it cannot be mapped, it is not stored, so that no operator has to resolve it.
import { senderResponse } from "#policy/inbound/sender-response.ts";
import { timeOrderedId } from "#schema/ids.ts";
import type { AcceptedDelivery, Arrival, StoredRequest } from "#schema/inbound/delivery.ts";
import type { TriggerKind } from "#schema/inbound/started-by.ts";
import type { JsonObject } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { findHook } from "../triggers/hook-token.ts";
import { mapDelivery } from "../triggers/map-delivery.ts";
import { triggerTerms } from "../triggers/receive-hook.ts";

export type TryTrigger = {
  readonly trigger: string;
  /** The namespace that the trigger must have; null: any namespace. */
  readonly namespace: string | null;
  /** The kind that the trigger must have; null: any kind. */
  readonly kind?: TriggerKind | null;
  /** The prefix of the delivery's id. Deliveries with the same prefix and key are repeats of each other. */
  readonly source: "test" | "event" | "execution";
  /** The correlation id of the started execution; null: that of the mapping. */
  readonly correlationId?: string | null;
  readonly body: JsonObject;
  readonly key: string | null;
  readonly dryRun: boolean;
};
export type TriggerTestResult = Pick<AcceptedDelivery, "execution" | "status" | "reason"> & {
  readonly id: string | null;
};

export async function tryTrigger(
  deps: Deps,
  caller: TenantCaller,
  input: TryTrigger,
): Promise<Result<TriggerTestResult>> {
  const { tenant } = caller;
  const row = await findHook(deps, tenant, input.trigger);
  if (row === null || !isWanted(row, input)) return refuse(noTrigger(input));
  if (row.standing.disabled !== null) return refuse(triggerDisabled);
  const id = input.key ?? timeOrderedId("evt", deps.now(), deps.randomBytes(10));
  const { source, correlationId = null } = input;
  const request = requestOf(input.body, `${source}/${id}`, deps.now());
  const mapped = await mapDelivery(deps, row, request, null);
  if (!mapped.ok) return mapped;
  const { mapped: mapping } = mapped.value;
  if (mapping.kind !== "effect") {
    const reason = mapping.kind === "unmappable" ? mapping.reason : null;
    return accept({ id: null, execution: null, status: mapping.kind, reason });
  }
  const { execution } = senderResponse(mapping.effect);
  if (input.dryRun) return accept({ id: null, execution, status: "pending", reason: null });
  const arrival = { identity: `~${source}/${id}`, request, ...withCorrelation(mapped.value, correlationId) };
  const object = deps.trigger(`${tenant}/${row.id}`);
  const stored = await callWithRetry(() => object.receiveDeliveries(triggerTerms(row), [arrival]), "trigger");
  if (!stored.ok) return stored;
  if (!stored.value.ok) return stored.value;
  const [first] = stored.value.value;
  return first === undefined ? refuse(noAnswer) : accept(first);
}

type FoundTrigger = NonNullable<Awaited<ReturnType<typeof findHook>>>;

function isWanted(row: FoundTrigger, { namespace, kind = null }: TryTrigger): boolean {
  return (namespace === null || row.namespace === namespace) && (kind === null || row.kind === kind);
}

type Mapped = Pick<Arrival, "mapped" | "sequence">;

/** Returns the mapped delivery with the client's correlation id, if it starts an execution. */
function withCorrelation({ mapped, sequence }: Mapped, correlationId: string | null): Mapped {
  if (correlationId === null || mapped.kind !== "effect" || mapped.effect.kind !== "start") return { mapped, sequence };
  return { mapped: { ...mapped, effect: { ...mapped.effect, correlationId } }, sequence };
}

function requestOf(body: JsonObject, deliveryId: string, now: number): StoredRequest {
  return { method: "POST", query: {}, headers: {}, body, deliveryId, receivedAt: new Date(now).toISOString() };
}

function noTrigger({ trigger, namespace, kind = null }: TryTrigger) {
  const where = namespace === null ? "" : ` in the namespace ${namespace}`;
  const which = kind === null ? "" : ` of the kind ${kind}`;
  return { code: "not_found", message: `There is no trigger ${trigger}${which}${where}.` } as const;
}

const noAnswer = { code: "internal_error", message: "The trigger's Durable Object did not answer." } as const;

const triggerDisabled = {
  code: "trigger_closed",
  message: "The trigger is disabled.",
  hint: "Enable the trigger first: POST /v1/triggers/{ref}/enable.",
} as const;
