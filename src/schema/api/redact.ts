// Blots out what looks like a credential. Secrets never reach a stored config; this is for those written into one.
import type { Json, JsonObject } from "../json.ts";

const CREDENTIAL =
  /authorization|cookie|password|passwd|secret|token|api[-_]?key|private[-_]?key|credential|signature/i;
const BLOT = "[redacted]";

export function redact(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, blot(name, inner)]));
}

function blot(name: string, value: Json): Json {
  if (CREDENTIAL.test(name) && (typeof value === "string" || typeof value === "number")) return BLOT;
  return redactJson(value);
}

export function redactJson(value: Json): Json {
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map(redactJson);
  return redact(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
