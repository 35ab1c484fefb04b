// Tests which fields of an answer are replaced by their size.
import { expect, test } from "vitest";
import { hidePayloads } from "#wire/hidden-payloads.ts";
import type { Json } from "#schema/json.ts";

const hidden = (value: Json) => ({ hidden: true, bytes: new TextEncoder().encode(JSON.stringify(value)).length });

test.each<[string, Json, Json]>([
  ["a field at the top", { variables: { who: "Ada" } }, { variables: hidden({ who: "Ada" }) }],
  ["a field in a list", { data: [{ result: "ok" }] }, { data: [{ result: hidden("ok") }] }],
  ["non-ASCII text is counted in bytes", { payload: "ü" }, { payload: { hidden: true, bytes: 4 } }],
  ["null and empty values stay", { payload: null, variables: {}, body: "", requests: [] }, null],
  ["a number beside its exactness stays", { total: { value: 3, exact: true } }, null],
  [
    "a desired state keeps its revision",
    { desired: { value: { on: true }, revision: 2 } },
    { desired: { value: hidden({ on: true }), revision: 2 } },
  ],
  [
    "a journal entry's desired state",
    { kind: "desired_set", desired: { on: true } },
    { kind: "desired_set", desired: hidden({ on: true }) },
  ],
])("%s", (_case, answer, shown) => {
  expect(hidePayloads(answer)).toEqual(shown ?? answer);
});
