// Configuration references: the resources, secrets and ids that a body names.
import { expect, it } from "vitest";
import { idsIn, referencesOf, secretsOf } from "#policy/configuration/references.ts";
import { unpinTemplates } from "#policy/configuration/unpin.ts";
import type { ConfigurationKind } from "#schema/configuration/document.ts";
import type { Definition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";

const calendars = (...names: string[]) => names.map((name) => `calendars/${name}`);

it.each<[ConfigurationKind, JsonObject, readonly string[]]>([
  [
    "definitions",
    { actions: [{ config: { connection: "mail", template: "hi@3" } }] },
    ["connections/mail", "templates/hi"],
  ],
  ["triggers", { target: { kind: "start", definition: "order@2" } }, ["definitions/order"]],
  ["triggers", { poll: { request: { service: "shop" } } }, ["connections/shop"]],
  ["recurring", { provider: "mail", payload: { a: null, n: 1 } }, ["connections/mail"]],
  [
    "recurring",
    { holidays: { calendar: "ch", move: "skip" }, window: { except: ["a", "b"] } },
    calendars("ch", "a", "b"),
  ],
  ["definitions", { windows: { office: { except: "ch" } }, input: { calendar: "x" } }, calendars("ch")],
  ["connections", { provider: "http" }, []],
  ["connections", { settings: { template: "hi" } }, ["templates/hi"]],
])("%s with %j names %j", (kind, body, named) => {
  const found = referencesOf({ kind, name: "a", body, pointer: "/x/0" });
  expect(found.map((each) => `${each.kind}/${each.name}`)).toEqual(named);
  expect(found.every(({ from, pointer }) => from === `${kind}/a` && pointer.startsWith("/x/0/"))).toBe(true);
});

it.each<[ConfigurationKind, JsonObject, readonly string[]]>([
  ["definitions", { url: "https://x/{{ secrets.token }}", other: "{{ secrets.token }}" }, ["token"]],
  ["definitions", { credentials: { apiKey: "key" }, verify: { secret: "hook" } }, []],
  ["connections", { credentials: { apiKey: "key" } }, ["key"]],
  ["triggers", { verify: { scheme: "github", secret: "hook" } }, ["hook"]],
])("%s with %j uses the secrets %j", (kind, body, names) => expect(secretsOf({ kind, body })).toEqual(names));

it("finds ids of the tenant, and no other texts", () => {
  const body = { a: "con_01KABCDEFGHJKMNPQRSTVWXYZ0", b: ["def_01KABCDEFGHJKMNPQRSTVWXYZ0"], c: "con_fused", d: null };
  expect(idsIn(body)).toEqual(["/a", "/b/0"]);
});

it("names a pinned template by its name alone if the pinned version is the current one", () => {
  const action = (actionId: string, config: JsonObject) => ({ actionId, type: "email", triggerState: "open", config });
  const definition = {
    kind: "machine",
    name: "order",
    initial: "open",
    states: { open: { type: "final" } },
    actions: [
      action("current", { template: "hi@3" }),
      action("old", { template: "hi@2" }),
      action("other", { template: "bye@1" }),
      action("rendered", { template: "{{ name }}" }),
      action("inline", { text: "x@3" }),
    ],
  } as unknown as Definition; // The parts that the function reads.
  const unpinned = unpinTemplates(definition, new Map([["hi", 3]]));
  const { actions = [] } = unpinned as Extract<Definition, { kind: "machine" }>;
  expect(actions.map(({ config }) => config["template"])).toEqual(["hi", "hi@2", "bye@1", "{{ name }}", undefined]);
});
