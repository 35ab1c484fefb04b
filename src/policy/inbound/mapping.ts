// Maps an inbound request to its trigger's effect: a start, an event, a published event, or none. The tenant writes the
// rules and templates. Their errors therefore become messages of the delivery, which can be replayed after a
// correction.
import { evaluate, truthy, type Evaluation } from "#kernel/language/logic.ts";
import { render } from "#kernel/language/render.ts";
import { openWork, type Work } from "#kernel/computing/work.ts";
import { isReserved, clientEventType } from "#schema/engine/event.ts";
import { parseKeepMs } from "../directory/keep-for.ts";
import { CORRELATION_KEY_CHARS_MAX } from "#schema/limits/executions.ts";
import {
  CORRELATION_ID_CHARS_MAX,
  DELIVERY_ID_CHARS_MAX,
  DELIVERY_REASON_CHARS_MAX,
  INVALID_VALUE_SHOWN_CHARS,
} from "#schema/limits/inbound/deliveries.ts";
import { executionIdText } from "#schema/ids.ts";
import type { StoredRequest, SequencePlace, DeliveryFault } from "#schema/inbound/delivery.ts";
import type { Trigger, TriggerTarget } from "#schema/inbound/trigger.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { fillSecrets } from "#schema/secret-slots.ts";

export type MappedEffect =
  | {
      readonly kind: "start";
      readonly definition: string;
      readonly variables: JsonObject;
      readonly correlationId: string | null;
    }
  | {
      readonly kind: "event";
      readonly execution: string;
      readonly type: string;
      readonly payload: Json;
      readonly correlationId: string | null;
    }
  | {
      readonly kind: "post";
      readonly correlationKey: string;
      readonly type: string;
      readonly payload: Json;
      readonly correlationId: string | null;
      readonly keepMs: number;
    };
/** The effect of a request, or the reason why it has none. */
export type MappingResult =
  | { readonly kind: "effect"; readonly effect: MappedEffect; readonly sequence: SequencePlace | null }
  | { readonly kind: "ignored" }
  | { readonly kind: "unmappable"; readonly reason: DeliveryFault };

type Mapping = Pick<Trigger, "target" | "when" | "sequence">;
type About = { readonly id: string; readonly name: string; readonly namespace: string; readonly tenant: string };

/** The value of a part of the mapping, or the reason why the request cannot be mapped. */
type Evaluated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: DeliveryFault };

/** Maps one request. `work`: the step budget that all deliveries of one request share. */
export function mapRequest(
  mapping: Mapping,
  about: About,
  request: StoredRequest,
  work: Work = openWork(),
): MappingResult {
  if (request.unreadable !== undefined) return { kind: "unmappable", reason: request.unreadable };
  const scope = scopeOf(about, request);
  const matches = mapping.when === undefined ? accepted(true) : ruleResult("when", truthy(mapping.when, scope, work));
  if (!matches.ok) return { kind: "unmappable", reason: matches.reason };
  if (!matches.value) return { kind: "ignored" };
  const sequence = sequencePlaceOf(mapping.sequence, scope, work);
  if (!sequence.ok) return { kind: "unmappable", reason: sequence.reason };
  const effect = mapTarget(mapping.target, scope, work);
  if (!effect.ok) return { kind: "unmappable", reason: effect.reason };
  return { kind: "effect", effect: effect.value, sequence: sequence.value };
}

/**
 * Builds the scope of rules and templates. `now` is the instant of the first arrival, even if the delivery is replayed.
 */
function scopeOf({ tenant, ...trigger }: About, request: StoredRequest): JsonObject {
  const { unreadable: _unreadable, loss: _loss, ...seen } = request;
  return { request: seen, trigger, tenant: { id: tenant }, now: request.receivedAt };
}

/** Computes the place of the delivery in its sequence; null if the mapping has no sequence. */
function sequencePlaceOf(
  sequence: Mapping["sequence"],
  scope: JsonObject,
  work: Work,
): Evaluated<SequencePlace | null> {
  if (sequence === undefined) return accepted(null);
  const value = ruleResult("sequence.value", evaluate(sequence.value, scope, work));
  if (!value.ok) return value;
  if (typeof value.value !== "number" && typeof value.value !== "string")
    return unmappable(
      "sequence_not_comparable",
      `sequence.value returns ${shortJson(value.value)}, but must return a number or a text`,
    );
  const by = ruleResult("sequence.by", evaluate(sequence.by ?? "", scope, work));
  return by.ok ? accepted({ by: JSON.stringify(by.value).slice(0, DELIVERY_ID_CHARS_MAX), value: value.value }) : by;
}

function mapTarget(target: TriggerTarget, scope: JsonObject, work: Work): Evaluated<MappedEffect> {
  switch (target.kind) {
    case "start":
      return mapStart(target, scope, work);
    case "event":
      return mapEvent(target, scope, work);
    case "correlate":
      return mapPublishedEvent(target, scope, work);
  }
}

type Target<Kind> = Extract<TriggerTarget, { kind: Kind }>;

function mapStart(target: Target<"start">, scope: JsonObject, work: Work): Evaluated<MappedEffect> {
  const { variables = { body: "{{ request.body }}" }, correlationId = null, definition } = target;
  const rendered = renderFields({ variables, correlationId }, scope, work);
  if (!rendered.ok) return rendered;
  const assigned = evaluateAssign(target.assign, scope, work);
  if (!assigned.ok) return assigned;
  const correlated = correlationOf(rendered.value.correlationId);
  if (!correlated.ok) return correlated;
  const all = { ...(rendered.value.variables as JsonObject), ...assigned.value }; // The rendering of an object is an object.
  return accepted({ kind: "start", definition, variables: all, correlationId: correlated.value });
}

function mapEvent(target: Target<"event">, scope: JsonObject, work: Work): Evaluated<MappedEffect> {
  const fields = mapEventFields(target, { execution: target.execution }, scope, work);
  if (!fields.ok) return fields;
  const { to, ...event } = fields.value;
  const id = executionIdText.safeParse(to.execution);
  if (!id.success)
    return unmappable(
      "no_execution",
      `target.execution gives ${shortJson(to.execution)}, which is not the id of an execution`,
    );
  return accepted({ kind: "event", execution: id.data, ...event });
}

/** Builds a published event. Its correlation key is a text; a number is converted to text. */
function mapPublishedEvent(target: Target<"correlate">, scope: JsonObject, work: Work): Evaluated<MappedEffect> {
  const fields = mapEventFields(target, { key: target.key }, scope, work);
  if (!fields.ok) return fields;
  const { to, ...event } = fields.value;
  const key = typeof to.key === "number" ? String(to.key) : to.key;
  if (typeof key !== "string" || key === "" || key.length > CORRELATION_KEY_CHARS_MAX)
    return unmappable("no_correlation_key", `target.key gives ${shortJson(to.key)}, which is not a correlation key`);
  const keep = parseKeepMs(target.keep, "/target/keep");
  return keep.ok
    ? accepted({ kind: "post", correlationKey: key, ...event, keepMs: keep.value })
    : unmappable(keep.refusal.code, keep.refusal.message);
}

type EventFields<To> = {
  readonly to: { readonly [K in keyof To]: Json };
  readonly type: string;
  readonly payload: Json;
  readonly correlationId: string | null;
};

/** Builds an event without its recipient. `written`: the templates of the fields that select the recipient. */
function mapEventFields<To extends JsonObject>(
  target: Target<"event"> | Target<"correlate">,
  written: To,
  scope: JsonObject,
  work: Work,
): Evaluated<EventFields<To>> {
  const { type, payload = "{{ request.body }}", correlationId = null } = target;
  const rendered = renderFields({ to: written, type, payload, correlationId }, scope, work);
  if (!rendered.ok) return rendered;
  const assigned = evaluateAssign(target.assign, scope, work);
  if (!assigned.ok) return assigned;
  const to = rendered.value.to as EventFields<To>["to"]; // Rendering keeps the names of the fields.
  const named = clientEventType.safeParse(rendered.value.type);
  if (!named.success || isReserved(named.data))
    return unmappable(
      "no_event_type",
      `target.type gives ${shortJson(rendered.value.type)}, which is not an event type`,
    );
  const correlated = correlationOf(rendered.value.correlationId);
  if (!correlated.ok) return correlated;
  const eventPayload = payloadOf(rendered.value.payload, target.assign === undefined ? null : assigned.value);
  if (!eventPayload.ok) return eventPayload;
  return accepted({ to, type: named.data, payload: eventPayload.value, correlationId: correlated.value });
}

/** Returns the payload with the assigned fields. If there are any, the payload must be an object or null. */
function payloadOf(payload: Json, assigned: JsonObject | null): Evaluated<Json> {
  if (assigned === null) return accepted(payload);
  if (payload === null) return accepted(assigned);
  if (typeof payload !== "object" || Array.isArray(payload))
    return unmappable(
      "payload_not_an_object",
      `target.payload gives ${shortJson(payload)}, but "assign" needs an object`,
    );
  return accepted({ ...(payload as JsonObject), ...assigned }); // The lines above have checked that the payload is an object.
}

/**
 * Renders templates. They contain no secrets, which is checked when they are stored. `fillSecrets` therefore only
 * removes the escaping.
 */
function renderFields<T extends JsonObject>(
  written: T,
  scope: JsonObject,
  work: Work,
): Evaluated<{ readonly [K in keyof T]: Json }> {
  const rendered = render(written, scope, work);
  if (!rendered.ok) return unmappable("template_failed", rendered.error.message.replace(/^config/, "target"));
  const filled = fillSecrets(rendered.value, {});
  if (!filled.ok) return unmappable("template_failed", filled.error.message);
  return accepted(filled.value as { readonly [K in keyof T]: Json }); // Rendering keeps the names of the fields.
}

function evaluateAssign(
  assign: { readonly [name: string]: Rule } | undefined,
  scope: JsonObject,
  work: Work,
): Evaluated<JsonObject> {
  const fields: [string, Json][] = [];
  for (const [name, rule] of Object.entries(assign ?? {})) {
    const value = ruleResult(`target.assign.${name}`, evaluate(rule, scope, work));
    if (!value.ok) return value;
    fields.push([name, value.value]);
  }
  return accepted(Object.fromEntries(fields));
}

/** Returns the correlation id as a text. A number is accepted, because many senders use numbers as ids. */
function correlationOf(value: Json): Evaluated<string | null> {
  if (value === null) return accepted(null);
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && text !== "" && text.length <= CORRELATION_ID_CHARS_MAX) return accepted(text);
  return unmappable(
    "no_correlation_id",
    `target.correlationId gives ${shortJson(value)}, but must give a text of 1 to ${CORRELATION_ID_CHARS_MAX} characters`,
  );
}

function ruleResult<T>(where: string, result: Evaluation<T>): Evaluated<T> {
  return result.ok ? result : unmappable("rule_failed", `${where}: ${result.message}`);
}

function accepted<T>(value: T): Evaluated<T> {
  return { ok: true, value };
}

function unmappable(code: string, message: string): { readonly ok: false; readonly reason: DeliveryFault } {
  return { ok: false, reason: { code, message: message.slice(0, DELIVERY_REASON_CHARS_MAX) } };
}

function shortJson(value: Json): string {
  return JSON.stringify(value).slice(0, INVALID_VALUE_SHOWN_CHARS);
}
