import fc from "fast-check";
import { expect, it } from "vitest";
import { parseOutcome } from "#runners/core/outcome-shape.ts";
import { outcome as outcomeSchema } from "#schema/engine/outcome.ts";

const success = {
  ok: true,
  result: { statusCode: 200, data: [null, "a"] },
  events: [{ type: "webhook_called", payload: { url: "https://example.com/" } }],
  startedAt: 1,
  endedAt: 2,
  metadata: { url: "https://example.com/" },
};
const failure = { ok: false, error: { type: "timeout", message: "late", retryable: true }, startedAt: 1, endedAt: 2 };
const without = (name: keyof typeof success) => {
  const { [name]: _left, ...rest } = success;
  return rest;
};
/** Returns the schema's result, or null. */
const judged = (made: unknown): unknown => outcomeSchema.safeParse(made).data ?? null;

it("returns a plain success unchanged", () => {
  expect(parseOutcome(success)).toBe(success);
  const bare = without("metadata");
  expect(parseOutcome(bare)).toBe(bare);
});

it.each<[string, unknown]>([
  ["a failure", failure],
  ["a success with what is not plain", { ...success, costEstimate: 0.1, tasks: [] }],
  ["a cost that is none", { ...success, costEstimate: "1" }],
  [
    "members that nobody knows, of it and of its events",
    { ...success, odd: 1, events: [{ type: "a", payload: 1, b: 2 }] },
  ],
  ...(["ok", "result", "events", "startedAt", "endedAt"] as const).map((name): [string, unknown] => [
    `one without ${name}`,
    without(name),
  ]),
  ["a member that is there and is nothing", { ...success, metadata: undefined }],
  ["metadata that are a list", { ...success, metadata: [] }],
  ["metadata that are null", { ...success, metadata: null }],
  ["an instant that is no number", { ...success, startedAt: "1" }],
  ["an instant without end", { ...success, endedAt: Number.POSITIVE_INFINITY }],
  ["a result that is no JSON", { ...success, result: { at: new Date(0) } }],
  ["a result with what is nothing", { ...success, result: { at: undefined } }],
  ["a result that sets a prototype", { ...success, result: JSON.parse('{"__proto__":{"a":1}}') }],
  ["events with a hole", { ...success, events: Array(1) }],
  ["events that are no list", { ...success, events: { 0: { type: "a", payload: 1 } } }],
  ["an event without a type", { ...success, events: [{ type: "", payload: 1 }] }],
  ["an event without a payload", { ...success, events: [{ type: "a", odd: 1 }] }],
  ["an event whose type is a number", { ...success, events: [{ type: 1, payload: 1 }] }],
  ["a list", [success]],
  ["an object of a class", Object.assign(new Date(0), success)],
  ["nothing", undefined],
  ["null", null],
  ["a text", "ok"],
])("validates %s with the schema", (_name, made) => {
  expect(parseOutcome(made)).toEqual(judged(made));
});

it("accepts no value that the schema would refuse or change", () => {
  const member = fc.constantFrom("ok", "result", "events", "startedAt", "endedAt", "metadata", "tasks", "odd");
  const value = fc.oneof(fc.jsonValue(), fc.anything(), fc.constant([{ type: "a", payload: {} }]));
  fc.assert(
    fc.property(member, value, (name, given) => {
      const made = { ...success, [name]: given };
      expect(parseOutcome(made)).toEqual(judged(made));
    }),
  );
});
