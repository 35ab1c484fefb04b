// Size limits, checked where data enters. A refusal names the field, its size and the limit.
import { triggerLimits } from "#schema/limits/inbound.ts";
import { limits } from "#schema/limits.ts";
import { DESIRED_BYTES_MAX, OBSERVED_BYTES_MAX } from "#schema/limits/reconciler-sizes.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";

export function checkVariables(variables: Json): Result<null> {
  return checkSize("/variables", variables, limits.variablesBytesMax);
}

export function checkDesired(value: Json, pointer = "/value"): Result<null> {
  return checkSize(pointer, value, DESIRED_BYTES_MAX);
}

export function checkObserved(value: Json): Result<null> {
  return checkSize("/value", value, OBSERVED_BYTES_MAX);
}

export function checkPayload(payload: Json): Result<null> {
  return checkSize("/payload", payload, limits.payloadBytesMax);
}

/** Checks an action's result against the limit of an event's payload. */
export function checkResult(result: Json): Result<null> {
  return checkSize("/result", result, limits.payloadBytesMax);
}

export function checkConnection(settings: object): Result<null> {
  return checkSize("/settings", settings as Json, limits.connectionBytesMax); // Connection settings are parsed JSON.
}

export function checkTriggerSize(trigger: object): Result<null> {
  return checkSize("/trigger", trigger as Json, triggerLimits.triggerBytesMax); // Triggers are parsed JSON.
}

export function checkAlertChannelSize(channel: object): Result<null> {
  return checkSize("/channel", channel as Json, limits.alertChannelBytesMax); // Alert channels are parsed JSON.
}

export function checkRecurring(spec: object): Result<null> {
  return checkSize("/payload", spec as Json, limits.recurringBytesMax); // A recurring specification is parsed JSON.
}

/** Checks a secret's size. The refusal contains the size, but no part of the value. */
export function checkSecretValue(value: string): Result<null> {
  const bytes = new TextEncoder().encode(value).byteLength;
  if (bytes <= limits.secretBytesMax) return accept(null);
  return tooBig(
    "/value",
    `has ${bytes} bytes`,
    bytes,
    limits.secretBytesMax,
    "A secret must be a credential, not a document.",
  );
}

function checkSize(pointer: string, value: Json, bytesMax: number): Result<null> {
  const text = JSON.stringify(value);
  // A UTF-16 unit is at most three bytes in UTF-8, so most values are known to be small enough without encoding.
  if (text.length * 3 <= bytesMax) return accept(null);
  const bytes = new TextEncoder().encode(text).byteLength;
  if (bytes <= bytesMax) return accept(null);
  return tooBig(
    pointer,
    `has ${bytes} bytes as JSON`,
    bytes,
    bytesMax,
    "Store large data elsewhere and pass a reference to it.",
  );
}

function tooBig(pointer: string, has: string, size: number, limit: number, hint: string) {
  const field = pointer.slice(1);
  return refuse({
    code: "limit_exceeded",
    message: `${field} ${has}; the limit is ${limit}.`,
    errors: [{ pointer, code: "too_big", message: `has ${size} bytes; the limit is ${limit}` }],
    hint,
    details: { field, size, limit },
  });
}
