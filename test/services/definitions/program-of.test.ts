import { expect, test } from "vitest";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import { programOf } from "#services/definitions/program-of.ts";

const body = (name: string): string => {
  const states = { open: { on: { [`${name}.closed`]: "done" } }, done: { type: "final" } };
  return JSON.stringify({ kind: "machine", name, placement: "own", initial: "open", states });
};

test("a definition is compiled once, however often it is read", () => {
  expect(programOf(body("once"))).toBe(programOf(body("once")));
});

test("another text is another program, whatever its name", () => {
  const other = body("once").replace("once.closed", "once.shut");
  expect(programOf(other).eventTypes).toEqual(["once.shut"]);
  expect(programOf(body("once")).eventTypes).toEqual(["once.closed"]);
});

test("the oldest programs are evicted, and compiled again when read", () => {
  const first = programOf(body("first"));
  for (let at = 0; at < isolateCaches.programs.sizeMax; at++) programOf(body(`other_${at}`));
  const again = programOf(body("first"));
  expect(again).not.toBe(first);
  expect(again.eventTypes).toEqual(first.eventTypes);
});
