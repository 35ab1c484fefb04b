import { expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import { machine } from "#test/support/drive.ts";

const states = { a: { on: { go: "b" } }, b: { type: "final" } } as const;
const told = (part: Partial<Parameters<typeof machine>[0]>) =>
  verify(machine({ states, ...part })).map(({ pointer, code }) => `${pointer} ${code}`);

test("what is declared of start and events is looked through, with its place in the definition", () => {
  const wrong = { properties: { no: { pattern: "(?=x)" } } };
  expect(told({ input: wrong, events: { "order.paid": wrong } })).toEqual([
    "/input/properties/no/pattern schema_pattern",
    "/events/order.paid/properties/no/pattern schema_pattern",
  ]);
  expect(told({ input: {}, events: { go: { type: "object" } } })).toEqual([]);
});

test("no schema is allowed for the engine's own events", () => {
  const events = { "action.x.ok": {}, "execution.patched": {}, child_failed: {}, task_completed: {}, tasks: {} };
  expect(told({ events })).toEqual([
    "/events/action.x.ok event_of_engine",
    "/events/execution.patched event_of_engine",
    "/events/child_failed event_of_engine",
    "/events/task_completed event_of_engine",
  ]);
});

test("with too many event types none is checked", () => {
  const events = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`e${n}`, {}]));
  expect(told({ events })).toEqual(["/events limit_exceeded"]);
});
