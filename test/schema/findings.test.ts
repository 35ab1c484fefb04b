// Findings: where, what, and what was probably meant.
import { expect, it } from "vitest";
import { z } from "zod";
import { definition } from "#schema/definition/definition.ts";
import { firstFindings, jsonPointer, zodFindings } from "#schema/findings.ts";
import { FINDINGS_MAX } from "#schema/limits/api-requests.ts";
import { naming } from "#test/support/matchers/naming.ts";

function findings(schema: z.ZodType, value: unknown) {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : zodFindings(parsed.error, schema, value);
}

const machine = { kind: "machine", name: "order", initial: "a", states: { a: { type: "final" } } };

it("an unknown field is named, with what was probably meant, at every depth", () => {
  const written = {
    ...machine,
    conccurency: 2,
    states: { a: { entri: [], states: { b: { on: { GO: { targt: "c" } } } } } },
    actions: [{ actionId: "n", type: "webhook", config: {}, timout: 5, retryPolicy: { maxAttempt: 3 } }],
  };
  expect(findings(definition, written)).toMatchObject([
    unknown("/states/a/states/b/on/GO/targt", "targt", "target"),
    unknown("/states/a/entri", "entri", "entry"),
    unknown("/actions/0/retryPolicy/maxAttempt", "maxAttempt", "maxAttempts"),
    unknown("/actions/0/timout", "timout", "timeout"),
    unknown("/conccurency", "conccurency", "concurrency"),
  ]);
});

function unknown(pointer: string, name: string, near: string) {
  return { pointer, code: "unknown_field", message: naming(name), hint: naming(near) };
}

it("an unknown field that resembles none is told which there are; without a schema nobody knows them", () => {
  const shape = z.strictObject({ name: z.string(), size: z.number().optional() });
  const parsed = shape.safeParse({ name: "n", zzzzzz: 1 });
  const plain = { pointer: "/zzzzzz", code: "unknown_field", message: naming("zzzzzz") };
  expect(parsed.error && zodFindings(parsed.error, shape)).toEqual([{ ...plain, hint: naming("name", "size") }]);
  expect(parsed.error && zodFindings(parsed.error)).toEqual([plain]);
});

it("an instant that is none is shown one", () => {
  const [finding] = findings(z.object({ at: z.iso.datetime({ offset: true }) }), { at: "yesterday" });
  expect(finding).toMatchObject({ pointer: "/at", hint: expect.stringContaining("2026-11-18T09:00:00Z") });
});

it("where no branch of a union fits, all that would have done is named", () => {
  const either = z.union([z.enum(["fast", "slow"]), z.strictObject({ tries: z.number() }), z.array(z.string())]);
  const none = (...wanted: string[]) => [{ pointer: "", code: "invalid_union", message: naming(...wanted) }];
  expect(findings(either, "quick")).toEqual(none('"fast"', '"slow"', "object", "array"));
  expect(findings(z.union([z.string(), z.array(z.string())]), null)).toEqual(none("string", "array"));
  expect(findings(z.object({ wait: z.union([z.number(), z.string()]) }), {})).toEqual([
    { pointer: "/wait", code: "required", message: naming("number", "string") },
  ]);
});

it("a missing field is required, not of the wrong type", () => {
  expect(findings(definition, { kind: "machine", name: "order" })).toEqual([
    { pointer: "/states", code: "required", message: naming("object") },
  ]);
});

it("a wrong kind says which there are", () => {
  expect(findings(definition, { ...machine, kind: "machin" })).toMatchObject([
    { pointer: "/kind", code: "invalid_union", message: expect.stringContaining("machine") },
  ]);
});

it("of a union's branches the one that was meant speaks", () => {
  const target = { ...machine, states: { a: { on: { GO: [{ target: "b", reenter: "yes" }] } } } };
  expect(findings(definition, target)).toMatchObject([{ pointer: "/states/a/on/GO/0/reenter", code: "invalid_type" }]);
  const either = z.union([z.string(), z.strictObject({ a: z.number(), b: z.number() })]);
  expect(findings(either, { a: "x", b: 1 })).toMatchObject([{ pointer: "/a" }]);
  expect(findings(either, 5)).toMatchObject([{ pointer: "", code: "invalid_union" }]);
});

it("a name that may not be used says what names look like", () => {
  const [finding] = findings(definition, { ...machine, states: { "a b": {} } });
  expect(finding).toEqual({ pointer: "/states/a b", code: "invalid_key", message: naming("_", "-") });
});

it("fields behind optional, nullable, default and read-only wrappers are known", () => {
  const inner = z.strictObject({ colour: z.string().optional() });
  const outer = z.object({
    wrapped: z.array(inner.nullable().default(null).readonly().optional()),
    piped: inner.transform((value) => value),
  });
  expect(findings(outer, { wrapped: [{ color: "red" }], piped: { colur: "red" } })).toEqual([
    unknown("/wrapped/0/color", "color", "colour"),
    unknown("/piped/colur", "colur", "colour"),
  ]);
});

it("pointers escape what JSON pointers must", () => {
  expect(jsonPointer(["a/b", "c~d", 0])).toBe("/a~1b/c~0d/0");
  expect(jsonPointer([])).toBe("");
});

it("no more are listed than an answer may have, and none is made beyond these", () => {
  const shape = z.strictObject({ name: z.string() });
  const written = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, 1]));
  const parsed = shape.safeParse({ name: "n", ...written });
  const found = parsed.error ? zodFindings(parsed.error, shape) : [];
  expect(found).toHaveLength(FINDINGS_MAX + 1);
  expect(found.slice(-2)).toMatchObject([{ pointer: "/n99", code: "unknown_field" }, { code: "more_findings" }]);
  expect(
    findings(shape, { name: "n", ...Object.fromEntries(Object.entries(written).slice(0, FINDINGS_MAX)) }),
  ).toHaveLength(FINDINGS_MAX);
});

it("a very long list of wrong items has no more findings either", () => {
  const found = findings(z.object({ list: z.array(z.object({ id: z.string() })) }), {
    list: Array.from({ length: 5_000 }, () => ({})),
  });
  expect(found).toHaveLength(FINDINGS_MAX + 1);
});

it("of findings that are there the first are listed", () => {
  const found = Array.from({ length: FINDINGS_MAX }, (_, n) => ({ pointer: `/${n}`, code: "c", message: "m" }));
  expect(firstFindings(found)).toEqual(found);
  expect(firstFindings([...found, ...found]).slice(FINDINGS_MAX)).toMatchObject([{ code: "more_findings" }]);
});

it("a missing choice is named with its values, and a mistyped one with the value that was probably meant", () => {
  const either = z.object({ kind: z.enum(["machine", "journey"]) });
  expect(findings(either, {})).toEqual([
    { pointer: "/kind", code: "required", message: naming("machine", "journey", "missing") },
  ]);
  expect(findings(either, { kind: "jurney" })).toMatchObject([{ code: "invalid_value", hint: naming("journey") }]);
  expect(findings(definition, { name: "order" })).toMatchObject([
    { pointer: "/kind", code: "required", message: naming("machine", "journey", "reconciler") },
  ]);
  expect(findings(definition, { kind: "machin" })).toMatchObject([
    { pointer: "/kind", code: "invalid_union", message: naming("machine", "journey"), hint: naming("machine") },
  ]);
  const presets = z.object({ retry: z.union([z.enum(["fast", "slow"]), z.object({})]) });
  expect(findings(presets, { retry: "fats" })).toMatchObject([{ pointer: "/retry", hint: naming("fast") }]);
});

it("an unknown field is told what its own kind knows, and which kind has the field", () => {
  const [found] = findings(definition, { ...machine, defaults: {} });
  expect(found).toMatchObject({ pointer: "/defaults", code: "unknown_field" });
  expect(found?.hint).toContain('only possible with kind: "journey"; known fields: kind, ');
  expect(found?.hint).not.toContain("reentry");
});

it("a limit is told with the actual figure, and a text's content is not repeated", () => {
  const shape = z.object({ n: z.number().int().max(5), text: z.string().max(3), list: z.array(z.string()).length(2) });
  expect(findings(shape, { n: 7, text: "secret", list: [] })).toMatchObject([
    { pointer: "/n", code: "too_big", message: naming("5", "7") },
    { pointer: "/text", code: "too_big", message: expect.not.stringContaining("secret") },
    { pointer: "/list", message: naming("exactly", "2", "0") },
  ]);
});
