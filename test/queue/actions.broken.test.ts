// What the action queue's consumer makes of items over which a cell broke: they come again, their neighbours do not wait.
import { expect, it } from "vitest";
import { message, world } from "./world.ts";

const runs = ["1.0", "1.1", "1.2"];
const batch = runs.map((run) => message({ id: run, run }));

it("a claim that broke comes again; its claimed neighbours are carried out", async () => {
  const here = world({ refusals: { "1.1": "internal_error" } });
  await here.consume(batch);
  expect(here.ran).toEqual(["1.0", "1.2"]);
  expect(here.ends.toSorted()).toEqual(["again 1.1 after 2 s", "done 1.0", "done 1.2"]);
});

it("a claim that is refused does not come again", async () => {
  const here = world({ refusals: { "1.1": "run_stale" } });
  await here.consume(batch);
  expect(here.ends.toSorted()).toEqual(runs.map((run) => `done ${run}`));
});

it("a settlement that broke is sent again alone, and its neighbours keep their answers and their next runs", async () => {
  const here = world({ breaks: { "1.1": 1 }, next: { "1.0": "2.0" } });
  await here.consume(batch);
  expect(here.calls.filter((call) => call.some((run) => runs.includes(run)))).toEqual([runs, ["1.1"]]);
  expect(here.ran).toEqual([...runs, "2.0"]);
  expect(here.ends.toSorted()).toEqual(runs.map((run) => `done ${run}`));
  expect(here.lines).toMatchObject([{ level: "error", event: "not_settled", tries: 1, count: 1 }]);
});

it("a settlement that breaks every time leaves its message to come again, and no other", async () => {
  const here = world({ breaks: { "1.1": Infinity } });
  await here.consume(batch);
  expect(here.ends.toSorted()).toEqual(["again 1.1 after 2 s", "done 1.0", "done 1.2"]);
});
