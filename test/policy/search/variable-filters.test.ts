// Comparisons with search variables: which are read, and which are refused with the declared names.
import { describe, expect, test } from "vitest";
import { readVariableFilters, type SearchVariable } from "#policy/search/variable-filters.ts";
import { NAMES_LISTED_MAX, SEARCH_VARIABLES_MAX } from "#schema/limits/definition-sizes.ts";
import { readParameter, type WrittenFilter } from "#schema/search/written-filter.ts";

const declared: readonly SearchVariable[] = [
  { name: "orderId", type: "string" },
  { name: "total", type: "number" },
  { name: "due", type: "date" },
  { name: "both", type: "string" },
  { name: "both", type: "number" },
];

function written(parameter: string, text: string): WrittenFilter {
  const read = readParameter(parameter);
  if (read === null) throw new Error(`${parameter} is no comparison`);
  return { parameter, ...read, text };
}
const read = (parameter: string, text: string) => readVariableFilters([written(parameter, text)], declared);

test.each([
  ["var.total", { name: "total", comparison: "eq" }],
  ["var.total.gte", { name: "total", comparison: "gte" }],
  ["var.total.eq", null],
  ["var.", null],
  ["var.a.b.c", null],
  ["total", null],
])("the parameter %s is read as %j", (parameter, expected) => {
  expect(readParameter(parameter)).toEqual(expected);
});

describe("a comparison", () => {
  test.each([
    ["var.orderId", "A-17", "eq", "A-17"],
    ["var.total", "100", "eq", 100],
    ["var.total.gte", "-2.5", "gte", -2.5],
    ["var.due.lt", "2027-01-01", "lt", Date.UTC(2027, 0, 1)],
    ["var.due.gt", "2027-01-01T08:00:00+01:00", "gt", Date.UTC(2027, 0, 1, 7)],
  ])("%s=%s is read", (parameter, text, comparison, value) => {
    expect(read(parameter, text)).toMatchObject({ ok: true, value: [{ comparison, value }] });
  });

  test.each([
    ["var.total", "many", "invalid_type"],
    ["var.total", "1e400", "invalid_type"],
    ["var.due", "soon", "invalid_type"],
    ["var.orderId.gte", "A", "invalid_comparison"],
    ["var.other", "A", "unknown_name"],
    ["var.both", "A", "ambiguous_name"],
  ])("%s=%s is refused", (parameter, text, code) => {
    const errors = [{ pointer: `?${parameter}`, code }];
    expect(read(parameter, text)).toMatchObject({ ok: false, refusal: { code: "invalid_input", errors } });
  });

  test("with an unknown variable names the declared ones, each once", () => {
    const refused = readVariableFilters([written("var.other", "A")], [...declared, ...declared]);
    const [error] = refused.ok ? [] : (refused.refusal.errors ?? []);
    expect(error?.hint?.match(/orderId|total|due/g)).toEqual(["orderId", "total", "due"]);
  });

  test("names at most as many variables as a finding lists, and the field if there are none", () => {
    const many = Array.from({ length: NAMES_LISTED_MAX + 1 }, (_, n) => ({ name: `v${n}x`, type: "string" as const }));
    const hintOf = (known: readonly SearchVariable[]) => {
      const refused = readVariableFilters([written("var.other", "A")], known);
      return refused.ok ? "" : (refused.refusal.errors?.[0]?.hint ?? "");
    };
    expect(hintOf(many).match(/v\d+x/g)).toHaveLength(NAMES_LISTED_MAX);
    expect(hintOf([])).toContain("searchVariables");
  });

  test("is one of a limited number", () => {
    const many = Array.from({ length: SEARCH_VARIABLES_MAX + 1 }, () => written("var.total", "1"));
    expect(readVariableFilters(many, declared)).toMatchObject({ ok: false, refusal: { code: "limit_exceeded" } });
    expect(readVariableFilters([], declared)).toEqual({ ok: true, value: [] });
  });
});
