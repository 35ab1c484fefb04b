// Configuration plans: what is created, changed, left and deleted, what conflicts, and the order.
import { describe, expect, it } from "vitest";
import { inOrder, isWrite, planDeletion, planItem } from "#policy/configuration/plan.ts";
import type { ConfigurationKind, PlanAction } from "#schema/configuration/document.ts";
import type { JsonObject } from "#schema/json.ts";
import { CONFIGURATION_CHANGES_MAX } from "#schema/limits/upkeep/configuration.ts";

const plan = (kind: ConfigurationKind, stored: JsonObject | null, body: JsonObject) =>
  planItem({ kind, name: "a", body, pointer: `/${kind}/0` }, stored);

it.each<[string, ConfigurationKind, JsonObject | null, JsonObject, PlanAction, string | null]>([
  ["nothing stored", "templates", null, { text: "x" }, "create", null],
  ["an equal body", "templates", { text: "x", name: "a" }, { name: "a", text: "x" }, "leave", null],
  ["another text", "templates", { text: "x" }, { text: "y" }, "change", null],
  [
    "another provider",
    "connections",
    { provider: "http" },
    { provider: "slack" },
    "conflict",
    "/connections/0/provider",
  ],
  ["another kind", "triggers", { kind: "poller" }, { kind: "webhook" }, "conflict", "/triggers/0/kind"],
  ["another namespace", "recurring", { namespace: "a" }, { namespace: "b" }, "conflict", "/recurring/0/namespace"],
  ["other work", "recurring", { definition: "a" }, { provider: "b" }, "conflict", "/recurring/0/definition"],
  ["another definition", "recurring", { definition: "a" }, { definition: "b" }, "change", null],
])("%s: %s", (_what, kind, stored, body, action, conflict) => {
  const step = plan(kind, stored, body);
  expect([step.action, step.conflict?.pointer ?? null]).toEqual([action, conflict]);
  expect(isWrite(step)).toBe(action === "create" || action === "change");
});

it("lists the differences with both values", () => {
  const stored = { a: 1, b: { c: "x" }, list: [1, 2], gone: true };
  const { changes, more } = plan("templates", stored, { a: 2, b: { c: "x", d: null }, list: [2, 1] });
  expect(more).toBe(0);
  expect(changes).toContainEqual({ kind: "changed", pointer: "/a", was: 1, is: 2 });
  expect(changes).toContainEqual({ kind: "added", pointer: "/b/d", is: null });
  expect(changes).toContainEqual({ kind: "removed", pointer: "/gone", was: true });
});

it("lists a limited number of differences, and counts the others", () => {
  const fields = (value: number) => Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, value]));
  const { changes, more } = plan("templates", fields(1), fields(2));
  expect([changes.length, more]).toEqual([CONFIGURATION_CHANGES_MAX, 60 - CONFIGURATION_CHANGES_MAX]);
});

describe("a deletion", () => {
  const user = { kind: "connections", name: "mail", from: "definitions/order", pointer: "/definitions/0/x" } as const;

  it.each<[ConfigurationKind, string, PlanAction]>([
    ["connections", "mail", "conflict"],
    ["connections", "other", "delete"],
    ["templates", "mail", "delete"],
  ])("of %s/%s: %s", (kind, name, action) => {
    const step = planDeletion(kind, name, [user]);
    expect([step.action, step.pointer, isWrite(step)]).toEqual([action, null, action === "delete"]);
    expect(step.conflict?.code ?? null).toBe(action === "conflict" ? "in_use" : null);
  });
});

it("writes kind by kind, then deletes in the reverse order", () => {
  const step = (kind: ConfigurationKind, name: string) => plan(kind, null, { name });
  const named = (kind: ConfigurationKind, name: string) => ({ ...step(kind, name), name });
  const mixed = [
    planDeletion("templates", "t", []),
    named("triggers", "b"),
    planDeletion("triggers", "r", []),
    named("definitions", "d"),
    named("triggers", "a"),
    named("templates", "z"),
  ];
  expect(inOrder(mixed).map(({ kind, name, action }) => `${action} ${kind}/${name}`)).toEqual([
    "create templates/z",
    "create definitions/d",
    "create triggers/a",
    "create triggers/b",
    "delete triggers/r",
    "delete templates/t",
  ]);
});
