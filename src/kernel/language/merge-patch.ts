// JSON merge patch (RFC 7396): merges objects by field; null removes a field, any other value replaces it.
import type { Json, JsonObject } from "#schema/json.ts";

export function mergePatch(before: JsonObject, by: JsonObject): JsonObject {
  // Entries instead of assignment, because a key such as __proto__ is ordinary data.
  const entries = Object.entries({ ...before, ...by }).flatMap(([key, value]): [string, Json][] => {
    if (!Object.hasOwn(by, key)) return [[key, value]];
    if (value === null) return [];
    const below = Object.hasOwn(before, key) ? before[key] : undefined;
    return [[key, isObject(value) ? mergePatch(isObject(below) ? below : {}, value) : value]];
  });
  return Object.fromEntries(entries);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
