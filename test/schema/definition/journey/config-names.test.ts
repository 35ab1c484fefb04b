// Names by which a journey's executor knows what a node's config says: taken, stored under ours, and never both.
import { describe, expect, test } from "vitest";
import { definition } from "#schema/definition/definition.ts";
import { zodFindings } from "#schema/findings.ts";
import type { JsonObject } from "#schema/json.ts";
import { naming } from "#test/support/matchers/naming.ts";

function parsed(node: JsonObject, more: JsonObject = {}) {
  const result = definition.safeParse({ kind: "journey", name: "wedding", initial: "a", nodes: { a: node }, ...more });
  if (!result.success)
    return zodFindings(result.error, definition).map(({ pointer, message }) => [pointer.slice(1), message]);
  return result.data.kind === "journey" ? { ...result.data.defaults, a: result.data.nodes["a"] } : null;
}

describe("a node's config", () => {
  test.each([
    [
      "email",
      { recipient: "{{ execution.variables.email }}", templateId: "t-1", variables: { who: "Ada" } },
      { to: "{{ execution.variables.email }}", templateId: "t-1", variables: { who: "Ada" } },
    ],
    ["sms", { phoneNumber: "+41791234567", message: "Hi" }, { to: "+41791234567", message: "Hi" }],
    [
      "task",
      { title: "Call", description: "Soon", assignedTo: "ada@example.com", dueDate: "2027-05-01" },
      { title: "Call", description: "Soon", assignedTo: "ada@example.com", dueDate: "2027-05-01" },
    ],
    ["webhook", { recipient: "kept" }, { recipient: "kept" }],
  ])("of an %s is taken as its executor knows it", (type, config, ours) => {
    expect(parsed({ type, config })).toEqual({ a: { type, config: ours } });
  });

  test("may say it in the type's defaults, in what is repeated, and in what takes it back", () => {
    const undo = { type: "sms", config: { phoneNumber: "+1" } };
    expect(parsed({ type: "email", undo }, { defaults: { email: { config: { recipient: "a@b.c" } } } })).toEqual({
      email: { config: { to: "a@b.c" } },
      a: { type: "email", undo: { type: "sms", config: { to: "+1" } } },
    });
    const node = { type: "email", config: { recipient: "a@b.c" } };
    expect(parsed({ type: "each", times: 2, node })).toMatchObject({ a: { node: { config: { to: "a@b.c" } } } });
  });

  test("that says a thing by both names is refused, wherever it stands", () => {
    const config = { recipient: "a@b.c", to: "d@e.f" };
    const says = naming("recipient", "to");
    expect(parsed({ type: "email", config })).toContainEqual(["nodes/a/config/recipient", says]);
    expect(parsed({ type: "email" }, { defaults: { email: { config } } })).toContainEqual([
      "defaults/email/config/recipient",
      says,
    ]);
  });
});

describe("a delay", () => {
  const until = (delayUntil: string) => parsed({ type: "delay", config: { delayUntil } });

  test.each([
    ["2027-05-01", "2027-05-01"],
    ["2027-05-01T09:00:00", "2027-05-01T09:00:00"],
    ["2027-05-01T09:00:00+02:00", "2027-05-01T09:00:00+02:00"],
    ["{{ execution.variables.weddingDate }}", { var: "execution.variables.weddingDate" }],
  ])("until %s is one until that moment", (delayUntil, anchor) => {
    expect(until(delayUntil)).toEqual({ a: { type: "delay", until: { anchor } } });
  });

  test("until what is no moment is refused", () => {
    for (const wrong of ["soon", "{{ now }}", "on {{ execution.variables.x }}", "2027-13-01"])
      expect(until(wrong)).toContainEqual(["nodes/a/config/delayUntil", expect.any(String)]);
  });

  test("until two moments is refused, and so is one until none", () => {
    const both = { type: "delay", until: "P1D", config: { delayUntil: "2027-05-01" } };
    expect(parsed(both)).toContainEqual(["nodes/a/config/delayUntil", naming("until", "delayUntil")]);
    expect(parsed({ type: "delay" })).toContainEqual(["nodes/a/for", expect.any(String)]);
  });
});
