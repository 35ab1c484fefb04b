// The consumer of actions, with cells and runners made up: what is carried out, and what becomes of the messages.
import { expect, it } from "vitest";
import { settled, world, message } from "./world.ts";

it("the runs that settlements bring are carried out without messages of their own", async () => {
  const here = world({ next: { "1.0": "2.0", "2.0": "3.0" } });
  await here.consume([message()]);
  expect(here.ran).toEqual(["1.0", "2.0", "3.0"]);
  expect(here.settled.map(({ run }) => run)).toEqual(["1.0", "2.0", "3.0"]);
  expect(here.ends).toEqual(["done m1"]);
});

it("a batch that has taken its time asks for no next run", async () => {
  const here = world({ next: { "1.0": "2.0" }, takesMs: () => 2_000 });
  await here.consume([message()]);
  expect(here.ran).toEqual(["1.0"]);
  expect(here.settled.map(({ takesNext }) => takesNext)).toEqual([false]);
  expect(here.ends).toEqual(["done m1"]);
});

it.each([
  ["short", {}, false],
  ["slow", { timeoutMs: 60_000 }, true],
])("whoever carries out a %s action has time for a slow one after it: %o, %s", async (_what, timeout, takesSlow) => {
  const here = world();
  await here.consume([message(timeout)]);
  expect(here.settled).toMatchObject([{ takesNext: true, takesSlow }]);
});

it.each([
  ["of a kind nobody knows", { ...message().body, kind: "greeting" }],
  ["that lacks what its kind needs", { ...message().body, kind: "outbox", execution: null }],
  ["without a kind", { ...message().body, kind: undefined }],
  ["that is no object", "1.0"],
])("a message %s is let go, loudly", async (_what, body) => {
  const here = world();
  await here.consume([{ ...message(), body }]);
  expect(here.ran).toEqual([]);
  expect(here.ends).toEqual(["done m1"]);
  expect(here.lines).toMatchObject([{ event: "malformed_action_message", id: "m1" }]);
});

it("a claim that is refused lets the message go; one that nobody decided brings it again", async () => {
  const refusals = { "1.0": "run_stale", "2.0": "unavailable" } as const;
  const here = world({ refusals });
  await here.consume([message({ id: "m1", run: "1.0" }), message({ id: "m2", run: "2.0" })]);
  expect(here.ran).toEqual([]);
  expect(here.ends.toSorted()).toEqual(["again m2 after 2 s", "done m1"]);
});

it("a runner that breaks brings the message again: its attempt is not settled", async () => {
  const here = world({
    takesMs: () => {
      throw new Error("broken");
    },
  });
  await here.consume([message()]);
  expect(here.settled).toEqual([]);
  expect(here.ends).toEqual(["again m1 after 2 s"]);
  expect(here.lines).toMatchObject([{ event: "action_not_run" }]);
});

it("a batch that somebody never answers ends in time, and what is left comes again", async () => {
  const here = world({ takesMs: ({ run }) => (run === "1.0" ? Infinity : 10) });
  await here.consume([message({ id: "m1", run: "1.0" }), message({ id: "m2", run: "2.0" })]);
  expect(here.ends).toEqual(["done m2", "again m1 after 2 s"]);
  expect(here.now()).toBe(14.5 * 60_000);
  expect(here.lines).toMatchObject([{ event: "batch_cut_off", open: 1 }]);
  expect(settled(here)).toEqual(["2.0"]);
});
