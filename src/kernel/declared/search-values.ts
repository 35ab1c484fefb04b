// Search values: the values of an execution's search variables, as the catalog indexes them.
import { SEARCH_TEXT_CHARS_MAX } from "#schema/limits/definition-sizes.ts";
import type { SearchType, SearchValues, SearchVariables } from "#schema/search/search-variables.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { instant } from "../language/instant.ts";

/**
 * Returns the declared variables that have a value of their type. `timezone`: the zone of dates without an offset. A
 * value of another type is left out, and so is a text that is too long to be indexed.
 */
export function searchValues(declared: SearchVariables, variables: JsonObject, timezone: string): SearchValues {
  const values = Object.entries(declared).map(([name, type]) => [name, valueOf(type, variables[name], timezone)]);
  return Object.fromEntries(values.filter(([, value]) => value !== null));
}

function valueOf(type: SearchType, value: Json | undefined, timezone: string): string | number | null {
  if (value === undefined) return null;
  switch (type) {
    case "string":
      return typeof value === "string" && value.length <= SEARCH_TEXT_CHARS_MAX ? value : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "date":
      return instant(value, timezone);
  }
}
