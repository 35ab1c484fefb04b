// The fields of an action in each place: a refused field has the reason of its place as the hint.
import { expect, it } from "vitest";
import type { z } from "zod";
import { lacking } from "#schema/definition/action-places.ts";
import { definition } from "#schema/definition/definition.ts";
import { zodFindings } from "#schema/findings.ts";
import { actionBody, actionsBody } from "#wire/actions/shape.ts";
import { createRecurringBody, updateRecurringBody } from "#wire/recurring/bodies.ts";
import { naming } from "#test/support/matchers/naming.ts";

const call = { type: "webhook", config: {} };

function findings(schema: z.ZodType, value: unknown) {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : zodFindings(parsed.error, schema, value);
}

const machine = (more: object) => ({
  kind: "machine",
  name: "trial",
  initial: "a",
  states: { a: {} },
  actions: [{ actionId: "call", ...call, ...more }],
});
const reconciler = (more: object) => ({ ...machine(more), kind: "reconciler" });
const journey = (node: object, defaults: object = {}) => ({
  kind: "journey",
  name: "trial",
  initial: "a",
  nodes: { a: node },
  defaults,
});
const repeated = (more: object) => journey({ type: "each", times: 2, node: { ...call, ...more } });
const child = (more: object) => journey({ type: "journey", definition: "album", ...more });
const undo = (more: object) => journey({ ...call, undo: { ...call, ...more } });
const recurring = { cron_expr: "@daily", provider: "webhook", action_type: "call", payload: {} };
const defaults = (more: object) => journey(call, { webhook: more });

it.each<readonly [keyof typeof lacking, z.ZodType, string, (more: object) => unknown]>([
  ["machine", definition, "/actions/0", machine],
  ["reconciler", definition, "/actions/0", reconciler],
  ["node", definition, "/nodes/a", (more) => journey({ ...call, ...more })],
  ["repeated", definition, "/nodes/a/node", repeated],
  ["child", definition, "/nodes/a", child],
  ["undo", definition, "/nodes/a/undo", undo],
  ["defaults", definition, "/defaults/webhook", defaults],
  ["standalone", actionBody, "", (more) => ({ ...call, ...more })],
  ["standalone", actionsBody, "/actions/0", (more) => ({ actions: [{ ...call, ...more }] })],
  ["recurring", createRecurringBody, "", (more) => ({ ...recurring, ...more })],
  ["recurring", updateRecurringBody, "", (more) => more],
])("%s", (place, schema, at, written) => {
  const reasons = Object.entries(lacking[place]);
  for (const [field, hint] of reasons)
    expect(findings(schema, written({ [field]: "x" }))).toMatchObject([
      { pointer: `${at}/${field}`, code: "unknown_field", hint },
    ]);
  expect(findings(schema, written({}))).toEqual([]);
});

it("an earlier name is answered with the present one", () => {
  for (const written of [machine, reconciler, repeated, child, undo, defaults])
    expect(findings(definition, written({ retry: "email" }))).toMatchObject([{ hint: naming("retryPolicy") }]);
});

it("a reconciler, a journey and a standalone action have the other fields of an action", () => {
  const fields = { tags: ["a"], enabled: false, description: "b", maxLateness: "PT1H", priority: 3, lane: "queue" };
  expect(findings(definition, reconciler(fields))).toEqual([]);
  expect(findings(definition, journey({ ...call, ...fields }))).toEqual([]);
  expect(findings(actionBody, { ...call, ...fields, onExhausted: "fail" })).toEqual([]);
});

it.each(["pause", { event: "lost" }])("a standalone action cannot end in %j", (onExhausted) => {
  expect(findings(actionBody, { ...call, onExhausted })).toMatchObject([{ pointer: "/onExhausted" }]);
});
