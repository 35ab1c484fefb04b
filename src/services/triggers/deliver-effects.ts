// Delivery of effects: sends the effects of deliveries to executions. Effects for one execution are sent in the order
// of arrival, and different executions in parallel. Each effect has a key, so an effect with an unclear result is sent
// again without harm. The trigger's object calls this.
import { undeliverableFault } from "#policy/directory/published-event.ts";
import type { PublishedEventRow } from "#schema/directory/calls.ts";
import type { Effect, DeliveryOutcome, DeliveryPort } from "#schema/inbound/delivery.ts";
import { mayPass, type Refusal } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { openDefinitions, type FindDefinition } from "../definitions/find-definition.ts";
import { publishEvent } from "../events/published-events.ts";
import { sendEvent } from "../executions/control-execution.ts";
import { deliveryFailureOf } from "./delivery-failure.ts";
import { startExecution } from "../executions/start-executions.ts";

export type EffectSource = Parameters<DeliveryPort["deliver"]>[0];

export async function deliverEffects(
  deps: Deps,
  source: EffectSource,
  effects: readonly Effect[],
): Promise<readonly DeliveryOutcome[]> {
  const outcomes: DeliveryOutcome[] = effects.map(() => notSent);
  const numbered = effects.map((effect, n) => ({ effect, n }));
  const find = openDefinitions(deps, source.tenant);
  const groups = Map.groupBy(numbered, ({ effect }) => orderGroupOf(effect));
  await Promise.all(
    Array.from(groups.values(), async (group) => {
      for (const { effect, n } of group) outcomes[n] = await deliverEffect(deps, source, effect, find);
    }),
  );
  return outcomes;
}

/** Returns the group of an effect. Effects of one group are sent one after the other, so that their order is kept. */
function orderGroupOf(effect: Effect): string {
  return effect.kind === "post" ? `key/${effect.correlationKey}` : effect.execution;
}

const notSent: DeliveryOutcome = {
  kind: "later",
  reason: { code: "unavailable", message: "the receiving object did not answer" },
};

/** Sends one effect. A failure does not affect the other effects. */
async function deliverEffect(
  deps: Deps,
  source: EffectSource,
  effect: Effect,
  find: FindDefinition,
): Promise<DeliveryOutcome> {
  try {
    return await sendEffect(deps, source, effect, find);
  } catch (cause) {
    const about = { tenant: source.tenant, trigger: source.trigger, about: orderGroupOf(effect) };
    deps.log({ level: "error", event: "delivery_not_sent", ...about, message: String(cause) });
    return {
      kind: "later",
      reason: { code: "unavailable", message: "the execution of the delivery cannot be reached" },
    };
  }
}

async function sendEffect(
  deps: Deps,
  source: EffectSource,
  effect: Effect,
  find: FindDefinition,
): Promise<DeliveryOutcome> {
  const { tenant, trigger, kind } = source;
  const caller: TenantCaller = { actor: { kind: "engine", id: `trigger/${trigger}` }, tenant, scopes: ["write"] };
  switch (effect.kind) {
    case "start": {
      const { definition, variables, namespace, correlationId, key } = effect;
      const request = { definition, variables, namespace, correlationId, id: null, key, startedBy: { trigger, kind } };
      const started = await startExecution(deps, caller, { ...request, dryRun: false }, find);
      return started.ok ? applied : outcomeOfRefusal(started.refusal);
    }
    case "event": {
      const { execution, type, payload, correlationId, key } = effect;
      const event = { execution, id: key, type, payload, source: `trigger/${trigger}`, correlationId };
      const sent = await sendEvent(deps, caller, { ...event, key: null, dryRun: false });
      return sent.ok ? applied : outcomeOfRefusal(sent.refusal);
    }
    case "post": {
      const { kind: _kind, key: id, keepMs, delivery, ...event } = effect;
      const keep = keepMs === 0 ? (false as const) : keepMs;
      const input = { ...event, id, keep, source: `trigger/${trigger}`, key: null, dryRun: false };
      const scope = kind === "event" ? ({ toExecutionsOnly: true } as const) : {};
      const publisher = delivery === undefined ? {} : { publisher: { trigger, delivery } };
      const posted = await publishEvent(deps, caller, { ...input, ...scope, ...publisher });
      return posted.ok ? outcomeOfEvent(posted.value.row) : outcomeOfRefusal(posted.refusal);
    }
  }
}

const applied: DeliveryOutcome = { kind: "applied" };

/** Converts the state of a published event to an outcome. The directory reports a result that is not known yet. */
function outcomeOfEvent(row: PublishedEventRow): DeliveryOutcome {
  const fault = undeliverableFault(row);
  if (fault !== null) return { kind: "failed", reason: fault };
  return row.status === "delivered" ? applied : { kind: "published" };
}

/**
 * Converts a refusal to an outcome. `failed`: an operator must act. `later`: the cause is temporary, such as a
 * suspended tenant or a used-up quota, so the effect is sent again.
 */
function outcomeOfRefusal(refusal: Refusal): DeliveryOutcome {
  const { code } = refusal;
  const passes = mayPass(refusal) || code === "quota_exceeded" || code === "tenant_suspended";
  return { kind: passes ? "later" : "failed", reason: deliveryFailureOf(refusal) };
}
