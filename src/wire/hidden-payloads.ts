// Hidden payloads: replaces the payloads in an answer by their size. The caller's key may read, but has no scope
// `payloads`.
import type { Json } from "#schema/json.ts";

/** The value that replaces a payload. */
export type HiddenPayload = { readonly hidden: true; readonly bytes: number };

/** The names of the fields that contain payloads, at any depth of an answer. */
const PAYLOAD_FIELDS: ReadonlySet<string> = new Set([
  "variables",
  "values",
  "payload",
  "config",
  "result",
  "request",
  "requests",
  "body",
  "asks",
  "sentTo",
  "inputPayload",
  "outputPayload",
  "inputData",
  "outputData",
]);
/** Fields that contain a payload if they contain an object. In the desired and observed state, `value` is a payload. */
const PAYLOAD_OBJECTS: ReadonlySet<string> = new Set(["value"]);
/** Fields that contain a payload in a journal entry. Elsewhere they contain a state with its revision. */
const ENTRY_PAYLOADS: ReadonlySet<string> = new Set(["desired", "observed"]);

const encoder = new TextEncoder();

/** Returns the answer without its payloads. Null and empty values stay, because they contain nothing. */
export function hidePayloads(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(hidePayloads);
  const isEntry = "kind" in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isPayload(name, inner, isEntry) ? hide(inner) : hidePayloads(inner),
    ]),
  );
}

function isPayload(name: string, value: Json, isEntry: boolean): boolean {
  if (PAYLOAD_FIELDS.has(name) || (isEntry && ENTRY_PAYLOADS.has(name))) return true;
  return PAYLOAD_OBJECTS.has(name) && typeof value === "object";
}

function hide(value: Json): Json {
  const isEmpty = typeof value === "object" && (value === null || Object.keys(value).length === 0);
  if (isEmpty || value === "") return value;
  return { hidden: true, bytes: encoder.encode(JSON.stringify(value)).length } satisfies HiddenPayload;
}
