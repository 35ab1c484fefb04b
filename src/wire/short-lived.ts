// Short-lived credentials in results, such as the URL of a signing page. With the URL, any reader could sign as the
// recipient. The execution uses the real URL, and lists show it redacted.
import type { Json, JsonObject } from "#schema/json.ts";

const BLOT = "[redacted]";

type Place = { readonly event: string; readonly field: string };

/**
 * By action type: the field of the result that contains the credential, and the result event whose payload repeats the
 * field.
 */
const places: { readonly [type: string]: Place } = {
  docusign_recipient_view: { event: "recipient_view_created", field: "url" },
};

/** Redacts a run's result for lists. */
export function redactResult(type: string, result: Json): Json {
  const place = Object.hasOwn(places, type) ? places[type] : undefined;
  return place === undefined ? result : blotted(result, place.field);
}

/**
 * Redacts a run's outcome in the journal. The outcome does not contain the action type, so the type is found by the
 * name of the result event.
 */
export function redactOutcome(outcome: JsonObject): JsonObject {
  const { events, result } = outcome;
  if (!isList(events)) return outcome;
  const place = Object.values(places).find(({ event }) => events.some((each) => typeOf(each) === event));
  if (place === undefined) return outcome;
  const { event, field } = place;
  const told = events.map((each) =>
    isObject(each) && typeOf(each) === event ? { ...each, payload: blotted(each["payload"] ?? null, field) } : each,
  );
  return { ...outcome, result: blotted(result ?? null, field), events: told };
}

function blotted(value: Json, field: string): Json {
  return isObject(value) && typeof value[field] === "string" ? { ...value, [field]: BLOT } : value;
}

function typeOf(event: Json): Json | undefined {
  return isObject(event) ? event["type"] : undefined;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}
