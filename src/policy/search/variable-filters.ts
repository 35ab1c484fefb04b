// Variable filters: reads the comparisons of a query with search variables, by the types that definitions declare.
import { instant } from "#kernel/language/instant.ts";
import type { SearchType } from "#schema/search/search-variables.ts";
import { NAMES_LISTED_MAX, SEARCH_VARIABLES_MAX } from "#schema/limits/definition-sizes.ts";
import { accept, refuse, type Finding, type Result } from "#schema/refusal.ts";
import type { VariableFilter, WrittenFilter } from "#schema/search/written-filter.ts";

export type SearchVariable = { readonly name: string; readonly type: SearchType };

/** Reads all comparisons; refuses the query if one has an unknown variable, or a value of another type. */
export function readVariableFilters(
  written: readonly WrittenFilter[],
  declared: readonly SearchVariable[],
): Result<readonly VariableFilter[]> {
  if (written.length > SEARCH_VARIABLES_MAX) return refuse(tooMany(written.length));
  const read = written.map((filter) => readFilter(filter, declared));
  const errors = read.filter((each) => "pointer" in each);
  const [first] = errors;
  if (first === undefined) return accept(read.filter((each) => "value" in each));
  const message = `${first.pointer}: ${first.message}`;
  return refuse({ code: "invalid_input", message, errors });
}

function tooMany(count: number) {
  const message = `The query compares search variables ${count} times; the limit is ${SEARCH_VARIABLES_MAX} (SEARCH_VARIABLES_MAX).`;
  return { code: "limit_exceeded", message } as const;
}

function readFilter(written: WrittenFilter, declared: readonly SearchVariable[]): VariableFilter | Finding {
  const pointer = `?${written.parameter}`;
  const types = declared.filter(({ name }) => name === written.name).map(({ type }) => type);
  const [type] = types;
  if (type === undefined) {
    const message = `no definition declares the search variable "${written.name}"`;
    return { pointer, code: "unknown_name", message, hint: knownNames(declared) };
  }
  if (types.length > 1) {
    const message = `definitions declare the search variable "${written.name}" with different types: ${types.join(", ")}`;
    return { pointer, code: "ambiguous_name", message, hint: "Add definition=<name>, whose declaration then applies." };
  }
  return valueFilter(written, type, pointer);
}

function knownNames(declared: readonly SearchVariable[]): string {
  if (declared.length === 0) return "Declare it in `searchVariables` of the definition.";
  const names = [...new Set(declared.map(({ name, type }) => `${name} (${type})`))].slice(0, NAMES_LISTED_MAX);
  return `The declared search variables are ${names.join(", ")}.`;
}

function valueFilter({ name, comparison, text }: WrittenFilter, type: SearchType, pointer: string) {
  const value = readValue(type, text);
  if (value === null) return { pointer, code: "invalid_type", message: `must be ${forms[type]}` };
  if (type !== "string" || comparison === "eq") return { name, comparison, value };
  const message = `cannot be compared by ${comparison}, because "${name}" is a string`;
  return { pointer, code: "invalid_comparison", message, hint: `Use var.${name}=<text>.` };
}

const forms: { readonly [type in SearchType]: string } = {
  string: "a text",
  number: "a number such as 100 or -2.5",
  date: "a date such as 2027-01-01, or an instant such as 2027-01-01T08:00:00Z",
};

/** Dates without an offset are read in UTC. */
function readValue(type: SearchType, text: string): string | number | null {
  switch (type) {
    case "string":
      return text;
    case "number":
      return /^-?\d{1,16}(\.\d{1,16})?$/.test(text) ? Number(text) : null;
    case "date":
      return instant(text, "UTC");
  }
}
