// Sizes that are checked where data comes in; the refusal names the field, its size and the limit.
import { limits } from "#schema/limits.ts";
import type { Json } from "#schema/json.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";

export function checkVariables(variables: Json): Result<null> {
  return checkSize("/variables", variables, limits.variablesBytesMax);
}

export function checkPayload(payload: Json): Result<null> {
  return checkSize("/payload", payload, limits.payloadBytesMax);
}

function checkSize(pointer: string, value: Json, bytesMax: number): Result<null> {
  const text = JSON.stringify(value);
  // A character is at most three bytes of UTF-8, so most values need no encoding to be known small enough.
  if (text.length * 3 <= bytesMax) return accept(null);
  const bytes = new TextEncoder().encode(text).byteLength;
  if (bytes <= bytesMax) return accept(null);
  const message = `${pointer.slice(1)} has ${bytes} bytes as JSON; the limit is ${bytesMax}.`;
  return refuse({
    code: "limit_exceeded",
    message,
    errors: [{ pointer, code: "too_big", message: `has ${bytes} bytes; the limit is ${bytesMax}` }],
    hint: "Keep large data elsewhere and pass a reference to it.",
    details: { field: pointer.slice(1), size: bytes, limit: bytesMax },
  });
}
