// The subject of an execution, computed from its start request.
import { expect, test } from "vitest";
import { subjectOf } from "#kernel/execution/subject/subject.ts";
import { SUBJECT_KEY_CHARS_MAX } from "#schema/limits/subjects/subject-rows.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";

const execution = { id: "exe_1", namespace: "default", correlationId: "c-9" };
const couple: Rule = { var: "execution.variables.couple" };

function of(rule: Rule, given: JsonObject, usual: JsonObject = {}) {
  return subjectOf({ rule, reentry: "once", variables: usual }, execution, given);
}

test("what the rule gives is its key, a number as its digits", () => {
  expect(of(couple, { couple: "couple-17" })).toEqual({ ok: true, value: { key: "couple-17", reentry: "once" } });
  expect(of(couple, { couple: 17 })).toEqual({ ok: true, value: { key: "17", reentry: "once" } });
});

test("the rule sees the definition's variables under those of the start, and what it will be called by", () => {
  expect(of(couple, {}, { couple: "usual" })).toMatchObject({ value: { key: "usual" } });
  expect(of(couple, { couple: "given" }, { couple: "usual" })).toMatchObject({ value: { key: "given" } });
  expect(of({ var: "execution.correlationId" }, {})).toMatchObject({ value: { key: "c-9" } });
});

test.each<[string, Json]>([
  ["nothing", null],
  ["an empty text", ""],
  ["more than a key holds", "x".repeat(SUBJECT_KEY_CHARS_MAX + 1)],
  ["a list", ["couple-17"]],
])("%s is no subject, and the refusal says where to put one", (_what, found) => {
  expect(of(couple, { couple: found })).toMatchObject({
    ok: false,
    refusal: {
      code: "invalid_input",
      hint: naming("execution.variables.couple"),
      errors: [{ pointer: "/variables", code: "no_subject" }],
    },
  });
});

test("a rule that cannot be evaluated says why", () => {
  const refused = of({ "+": [{ var: "execution.variables.couple" }, "a"] }, { couple: "b" });
  expect(refused).toMatchObject({
    ok: false,
    refusal: {
      code: "invalid_input",
      hint: naming('"+"', "execution.variables.couple"),
      errors: [{ pointer: "/variables", code: "no_subject" }],
    },
  });
});
