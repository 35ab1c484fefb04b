// Tests the maximum number of form fields, and that grouping them takes one pass.
import { describe, expect, test } from "vitest";
import { utf8 } from "#policy/inbound/bytes.ts";
import { fieldsOf, formRefusal, groupFields } from "#policy/inbound/form.ts";
import type { HookRequest } from "#policy/inbound/scheme.ts";
import { FORM_FIELDS_MAX } from "#schema/limits/inbound/deliveries.ts";

function sent(type: string, body: string): HookRequest {
  return { method: "POST", url: "https://h.example/", headers: new Map([["content-type", type]]), body: utf8(body) };
}

/** Counts the passes over the fields. A lookup of one name is also a pass. */
class CountedParams extends URLSearchParams {
  passes = 0;
  override [Symbol.iterator]() {
    this.passes++;
    return super[Symbol.iterator]();
  }
  override keys() {
    this.passes++;
    return super.keys();
  }
  override getAll(name: string) {
    this.passes++;
    return super.getAll(name);
  }
}

describe("a form's fields", () => {
  test.each([
    ["", 0],
    ["a", 0],
    ["a=1&".repeat(FORM_FIELDS_MAX - 1) + "a=1", 0],
    ["a=1&".repeat(FORM_FIELDS_MAX) + "a=1", FORM_FIELDS_MAX + 1],
    ["&".repeat(5_000), 5_001],
  ])("%# are counted before parsing", (body, size) => {
    const refusal = formRefusal(sent("Application/X-WWW-Form-Urlencoded; charset=utf-8", body));
    const named = { field: "body", size, limit: FORM_FIELDS_MAX };
    if (size === 0) expect(refusal).toBeNull();
    else
      expect(refusal).toMatchObject({ code: "limit_exceeded", details: named, errors: [{ code: "too_many_fields" }] });
  });

  test("are not counted in a body of another type", () => {
    expect(formRefusal(sent("text/plain", "&".repeat(5_000)))).toBeNull();
    expect(formRefusal(sent("", "&".repeat(5_000)))).toBeNull();
  });

  test("are grouped in one pass", () => {
    const params = new CountedParams(Array.from({ length: 500 }, (_, n) => [`n${n % 250}`, String(n)]));
    expect(groupFields(params).get("n7")).toEqual(["7", "257"]);
    expect(params.passes).toBe(1);
    fieldsOf(params);
    expect(params.passes).toBe(2);
  });

  test("may have any name, and become a list if a name has several values", () => {
    expect(Object.entries(fieldsOf(new URLSearchParams("__proto__=1&a=1&a=&b")))).toEqual([
      ["__proto__", "1"],
      ["a", ["1", ""]],
      ["b", ""],
    ]);
  });
});
