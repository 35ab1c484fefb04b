// Maps an inbound request to its trigger's effect: a start, an event, a published event, or none. Rules and templates
// belong to the tenant: their errors become messages, and the delivery can be replayed.
import { evaluate, truthy, type Evaluation } from "#kernel/language/logic.ts";
import { render } from "#kernel/language/render.ts";
import { openWork, type Work } from "#kernel/computing/work.ts";
import { isReserved, clientEventType } from "#schema/engine/event.ts";
import { parseKeepMs } from "../directory/keep-for.ts";
import { CORRELATION_KEY_CHARS_MAX } from "#schema/limits/correlation-keys.ts";
import {
  CORRELATION_ID_CHARS_MAX,
  DELIVERY_ID_CHARS_MAX,
  DELIVERY_REASON_CHARS_MAX,
  INVALID_VALUE_SHOWN_CHARS,
} from "#schema/limits/inbound/deliveries.ts";
import { executionIdText } from "#schema/ids.ts";
import type { StoredRequest, SequencePlace, Trouble } from "#schema/inbound/delivery.ts";
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
export type MappingResult =
  | { readonly kind: "wanted"; readonly wanted: MappedEffect; readonly sequence: SequencePlace | null }
  | { readonly kind: "ignored" }
  | { readonly kind: "unmappable"; readonly reason: Trouble };

type Mapping = Pick<Trigger, "target" | "when" | "sequence">;
type About = { readonly id: string; readonly name: string; readonly namespace: string; readonly tenant: string };

type Got<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: Trouble };

/** Maps one request. `work`: the step budget that all deliveries of one request share. */
export function mapRequest(
  mapping: Mapping,
  about: About,
  request: StoredRequest,
  work: Work = openWork(),
): MappingResult {
  if (request.unreadable !== undefined) return { kind: "unmappable", reason: request.unreadable };
  const scope = scopeOf(about, request);
  const wants = mapping.when === undefined ? got(true) : said("when", truthy(mapping.when, scope, work));
  if (!wants.ok) return { kind: "unmappable", reason: wants.reason };
  if (!wants.value) return { kind: "ignored" };
  const sequence = placeOf(mapping.sequence, scope, work);
  if (!sequence.ok) return { kind: "unmappable", reason: sequence.reason };
  const wanted = wantedBy(mapping.target, scope, work);
  if (!wanted.ok) return { kind: "unmappable", reason: wanted.reason };
  return { kind: "wanted", wanted: wanted.value, sequence: sequence.value };
}

/** Builds the scope of rules and templates. `now` is the first arrival, also in a replay. */
function scopeOf({ tenant, ...trigger }: About, request: StoredRequest): JsonObject {
  const { unreadable: _unreadable, loss: _loss, ...seen } = request;
  return { request: seen, trigger, tenant: { id: tenant }, now: request.receivedAt };
}

function placeOf(sequence: Mapping["sequence"], scope: JsonObject, work: Work): Got<SequencePlace | null> {
  if (sequence === undefined) return got(null);
  const value = said("sequence.value", evaluate(sequence.value, scope, work));
  if (!value.ok) return value;
  if (typeof value.value !== "number" && typeof value.value !== "string")
    return wrong(
      "sequence_not_comparable",
      `sequence.value returns ${shown(value.value)}, and must return a number or a text`,
    );
  const by = said("sequence.by", evaluate(sequence.by ?? "", scope, work));
  return by.ok ? got({ by: JSON.stringify(by.value).slice(0, DELIVERY_ID_CHARS_MAX), value: value.value }) : by;
}

function wantedBy(target: TriggerTarget, scope: JsonObject, work: Work): Got<MappedEffect> {
  switch (target.kind) {
    case "start":
      return wantedStart(target, scope, work);
    case "event":
      return wantedEvent(target, scope, work);
    case "correlate":
      return wantedPost(target, scope, work);
  }
}

type Target<Kind> = Extract<TriggerTarget, { kind: Kind }>;

function wantedStart(target: Target<"start">, scope: JsonObject, work: Work): Got<MappedEffect> {
  const { variables = { body: "{{ request.body }}" }, correlationId = null, definition } = target;
  const filled = filledFrom({ variables, correlationId }, scope, work);
  if (!filled.ok) return filled;
  const assigned = assignedBy(target.assign, scope, work);
  if (!assigned.ok) return assigned;
  const correlated = correlationOf(filled.value.correlationId);
  if (!correlated.ok) return correlated;
  const all = { ...(filled.value.variables as JsonObject), ...assigned.value }; // the fields of an object are an object
  return got({ kind: "start", definition, variables: all, correlationId: correlated.value });
}

function wantedEvent(target: Target<"event">, scope: JsonObject, work: Work): Got<MappedEffect> {
  const said = saidBy(target, { execution: target.execution }, scope, work);
  if (!said.ok) return said;
  const { to, ...event } = said.value;
  const id = executionIdText.safeParse(to.execution);
  if (!id.success)
    return wrong("no_execution", `target.execution gives ${shown(to.execution)}, which is not the id of an execution`);
  return got({ kind: "event", execution: id.data, ...event });
}

/** Builds a published event. The correlation key is a text, or a number in its written form. */
function wantedPost(target: Target<"correlate">, scope: JsonObject, work: Work): Got<MappedEffect> {
  const said = saidBy(target, { key: target.key }, scope, work);
  if (!said.ok) return said;
  const { to, ...event } = said.value;
  const key = typeof to.key === "number" ? String(to.key) : to.key;
  if (typeof key !== "string" || key === "" || key.length > CORRELATION_KEY_CHARS_MAX)
    return wrong("no_correlation_key", `target.key gives ${shown(to.key)}, which is not a correlation key`);
  const keep = parseKeepMs(target.keep, "/target/keep");
  return keep.ok
    ? got({ kind: "post", correlationKey: key, ...event, keepMs: keep.value })
    : wrong(keep.refusal.code, keep.refusal.message);
}

type Said<To> = {
  readonly to: { readonly [K in keyof To]: Json };
  readonly type: string;
  readonly payload: Json;
  readonly correlationId: string | null;
};

/** Builds an event without its recipient; `written` contains the templates of the recipient. */
function saidBy<To extends JsonObject>(
  target: Target<"event"> | Target<"correlate">,
  written: To,
  scope: JsonObject,
  work: Work,
): Got<Said<To>> {
  const { type, payload = "{{ request.body }}", correlationId = null } = target;
  const filled = filledFrom({ to: written, type, payload, correlationId }, scope, work);
  if (!filled.ok) return filled;
  const assigned = assignedBy(target.assign, scope, work);
  if (!assigned.ok) return assigned;
  const to = filled.value.to as Said<To>["to"]; // rendering keeps the names
  const named = clientEventType.safeParse(filled.value.type);
  if (!named.success || isReserved(named.data))
    return wrong("no_event_type", `target.type gives ${shown(filled.value.type)}, which is not an event type`);
  const correlated = correlationOf(filled.value.correlationId);
  if (!correlated.ok) return correlated;
  const carried = payloadOf(filled.value.payload, target.assign === undefined ? null : assigned.value);
  if (!carried.ok) return carried;
  return got({ to, type: named.data, payload: carried.value, correlationId: correlated.value });
}

function payloadOf(payload: Json, assigned: JsonObject | null): Got<Json> {
  if (assigned === null) return got(payload);
  if (payload === null) return got(assigned);
  if (typeof payload !== "object" || Array.isArray(payload))
    return wrong("payload_not_an_object", `target.payload gives ${shown(payload)}, and "assign" needs an object`);
  return got({ ...(payload as JsonObject), ...assigned }); // the payload is neither null, a scalar nor a list
}

/**
 * Renders templates. Templates contain no secrets, which is checked when they are stored, so `fillSecrets` only removes
 * escaping.
 */
function filledFrom<T extends JsonObject>(
  written: T,
  scope: JsonObject,
  work: Work,
): Got<{ readonly [K in keyof T]: Json }> {
  const rendered = render(written, scope, work);
  if (!rendered.ok) return wrong("template_failed", rendered.error.message.replace(/^config/, "target"));
  const filled = fillSecrets(rendered.value, {});
  if (!filled.ok) return wrong("template_failed", filled.error.message);
  return got(filled.value as { readonly [K in keyof T]: Json }); // rendering keeps the names
}

function assignedBy(
  assign: { readonly [name: string]: Rule } | undefined,
  scope: JsonObject,
  work: Work,
): Got<JsonObject> {
  const fields: [string, Json][] = [];
  for (const [name, rule] of Object.entries(assign ?? {})) {
    const value = said(`target.assign.${name}`, evaluate(rule, scope, work));
    if (!value.ok) return value;
    fields.push([name, value.value]);
  }
  return got(Object.fromEntries(fields));
}

/** Returns the correlation id as text; a number is accepted, because many senders use numbers as ids. */
function correlationOf(value: Json): Got<string | null> {
  if (value === null) return got(null);
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && text !== "" && text.length <= CORRELATION_ID_CHARS_MAX) return got(text);
  return wrong(
    "no_correlation_id",
    `target.correlationId gives ${shown(value)}, and must give a text of 1 to ${CORRELATION_ID_CHARS_MAX} characters`,
  );
}

function said<T>(where: string, evaluated: Evaluation<T>): Got<T> {
  return evaluated.ok ? evaluated : wrong("rule_failed", `${where}: ${evaluated.message}`);
}

function got<T>(value: T): Got<T> {
  return { ok: true, value };
}

function wrong(code: string, message: string): { readonly ok: false; readonly reason: Trouble } {
  return { ok: false, reason: { code, message: message.slice(0, DELIVERY_REASON_CHARS_MAX) } };
}

function shown(value: Json): string {
  return JSON.stringify(value).slice(0, INVALID_VALUE_SHOWN_CHARS);
}
