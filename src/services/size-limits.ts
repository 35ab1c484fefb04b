// Size limits, checked where data enters the engine. A refusal names the field, its size and the limit.
import { PAYLOAD_BYTES_MAX, VARIABLES_BYTES_MAX } from "#schema/limits/executions.ts";
import { DESIRED_BYTES_MAX, OBSERVED_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { TRIGGER_BYTES_MAX } from "#schema/limits/inbound/trigger-requests.ts";
import { CONNECTION_BYTES_MAX } from "#schema/limits/outgoing/connection-limits.ts";
import { SECRET_BYTES_MAX } from "#schema/limits/outgoing/secret-sizes.ts";
import { RECURRING_BYTES_MAX } from "#schema/limits/recurring-actions.ts";
import { ALERT_CHANNEL_BYTES_MAX } from "#schema/limits/upkeep/alert-throttle.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";

export function checkVariables(variables: Json): Result<null> {
  return checkSize("/variables", variables, VARIABLES_BYTES_MAX);
}

export function checkDesired(value: Json, pointer = "/value"): Result<null> {
  return checkSize(pointer, value, DESIRED_BYTES_MAX);
}

export function checkObserved(value: Json): Result<null> {
  return checkSize("/value", value, OBSERVED_BYTES_MAX);
}

export function checkPayload(payload: Json): Result<null> {
  return checkSize("/payload", payload, PAYLOAD_BYTES_MAX);
}

/** Checks an action's result against the limit of an event's payload. */
export function checkResult(result: Json): Result<null> {
  return checkSize("/result", result, PAYLOAD_BYTES_MAX);
}

export function checkConnection(settings: object): Result<null> {
  return checkSize("/settings", settings as Json, CONNECTION_BYTES_MAX); // Connection settings are parsed JSON.
}

export function checkTriggerSize(trigger: object): Result<null> {
  return checkSize("/trigger", trigger as Json, TRIGGER_BYTES_MAX); // Triggers are parsed JSON.
}

export function checkAlertChannelSize(channel: object): Result<null> {
  return checkSize("/channel", channel as Json, ALERT_CHANNEL_BYTES_MAX); // Alert channels are parsed JSON.
}

export function checkRecurring(spec: object): Result<null> {
  return checkSize("/payload", spec as Json, RECURRING_BYTES_MAX); // A recurring specification is parsed JSON.
}

/** Checks a secret's size. The refusal contains the size, but no part of the value. */
export function checkSecretValue(value: string): Result<null> {
  const bytes = new TextEncoder().encode(value).byteLength;
  if (bytes <= SECRET_BYTES_MAX) return accept(null);
  return tooBig(
    "/value",
    `has ${bytes} bytes`,
    bytes,
    SECRET_BYTES_MAX,
    "A secret must be a credential, not a document.",
  );
}

function checkSize(pointer: string, value: Json, bytesMax: number): Result<null> {
  const text = JSON.stringify(value);
  // One UTF-16 unit takes at most three bytes in UTF-8. So most texts are known to be small enough without being
  // encoded.
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
