// Actions with their places, for every kind of definition.
import { expect, test } from "vitest";
import { placedActions, placeIn, placeOfFinding, withValueAt } from "#kernel/programs/placed-actions.ts";
import { action, machine } from "#test/support/drive.ts";
import { act, journey } from "./journey/drive-journey.ts";

const written = machine({ states: { a: {} }, actions: [action("one"), action("two")] });
const walked = journey({
  defaults: { webhook: { config: { headers: { a: "1" } }, retryPolicy: "sms" } },
  nodes: {
    a: act(["b", "c"]),
    b: { type: "each", times: 2, node: { type: "webhook", config: {} } },
    c: { type: "journey", definition: "album" },
  },
});

test("a machine's stand in its list, a journey's with their nodes", () => {
  expect(placedActions(written).map(({ at }) => at)).toEqual([
    ["actions", "0"],
    ["actions", "1"],
  ]);
  expect(placedActions(machine({ states: { a: {} } }))).toEqual([]);
  expect(placedActions(walked).map(({ at }) => at)).toEqual([
    ["nodes", "a"],
    ["nodes", "b", "node"],
    ["nodes", "c"],
  ]);
});

test("a field is where it is written: with the action, under it, or where it is missing", () => {
  const [one] = placedActions(written);
  const [a, , child] = placedActions(walked);
  if (!one || !a || !child) throw new Error("there are these");
  expect(placeIn(written, one, ["retryPolicy"])).toEqual(["actions", "0", "retryPolicy"]);
  expect(placeIn(walked, a, ["config", "url"])).toEqual(["nodes", "a", "config", "url"]);
  expect(placeIn(walked, a, ["config", "headers", "a"])).toEqual(["defaults", "webhook", "config", "headers", "a"]);
  expect(placeIn(walked, a, ["config", "headers", "b"])).toEqual(["nodes", "a", "config", "headers", "b"]);
  expect(placeIn(walked, a, ["retryPolicy", "rules"])).toEqual(["nodes", "a", "retryPolicy", "rules"]);
  expect(placeIn(walked, a, ["delay"])).toEqual(["nodes", "a", "delay"]);
  expect(placeIn(walked, child, ["config", "definition"])).toEqual(["nodes", "c", "definition"]);
  expect(placeIn(walked, child, [])).toEqual(["nodes", "c"]);
});

test("a finding about an action gets its place, whatever is in its names", () => {
  const [a] = placedActions(walked);
  if (!a) throw new Error("there is one");
  const found = { pointer: "/config/x~1y~0z", code: "c", message: "m" };
  expect(placeOfFinding(walked, a, found)).toEqual({ ...found, pointer: "/nodes/a/config/x~1y~0z" });
});

test("a value is written at a place, through lists and objects, and what is not there yet is made", () => {
  expect(withValueAt(written, ["actions", "1", "config", "url"], "u").actions?.map(({ config }) => config)).toEqual([
    { url: "https://example.com" },
    { url: "u" },
  ]);
  expect(withValueAt(walked, ["defaults", "email", "lane"], "queue").defaults?.["email"]).toEqual({ lane: "queue" });
  expect(written.actions?.[1]?.config).toEqual({ url: "https://example.com" });
});
