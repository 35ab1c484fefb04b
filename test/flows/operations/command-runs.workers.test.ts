// What many executions are asked for about one of their runs, a timer, or what they are to come to, through the real Worker.
import { expect, test } from "vitest";
import type { Parsed } from "#test/support/api.ts";
import { engine, provider, until, type Engine } from "../engine.ts";

const LATER = "2099-06-30T07:00:00.000Z";
const order = {
  kind: "machine",
  name: "order",
  placement: "pooled",
  initial: "waits",
  states: {
    waits: { on: { "action.remind.ok": "done", "action.remind.skipped": "spared" }, after: { P30D: "late" } },
    done: { type: "final" },
    spared: { type: "final" },
    late: { type: "final" },
  },
  actions: [
    {
      actionId: "remind",
      type: "webhook",
      triggerState: "waits",
      delay: "P7D",
      config: { url: "https://crm.example.com" },
    },
  ],
};
const fleet = {
  kind: "reconciler",
  name: "fleet",
  initial: "Well",
  desired: { image: "a" },
  tick: "PT1S",
  states: {
    Well: {
      reason: "as desired",
      rules: [{ when: { "==": [{ var: "desired.image" }, "bad"] }, target: "Broken", reason: "it does not start" }],
    },
    Broken: {
      reason: "it does not start",
      rules: [{ when: { "==": [{ var: "desired.image" }, "b"] }, target: "Well", reason: "it starts" }],
    },
  },
};

const run = (here: Engine, id: string): Promise<Parsed> => here.runs(id).then(([only]) => only);
async function open(here: Engine, definition: string, count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => here.start(definition)));
  await until("lists know them", async () => {
    const { data } = await here.must(200, "GET", `/v1/executions?definition=${definition}&limit=100`);
    return data.length === count ? true : null;
  });
  return ids;
}
const done = async (here: Engine, body: object): Promise<Parsed> => {
  const { operation } = await here.must(202, "POST", "/v1/operations", { body: { perSecond: 500, ...body } });
  return until("its end", async () => {
    const found = await here.must(200, "GET", `/v1/operations/${operation.id}`);
    return found.finishedAt === null ? null : found;
  });
};

test("runs are held, released, rescheduled and skipped by their action, whatever their ids", async () => {
  provider();
  const here = await engine(order);
  const ids = await open(here, "order", 3);
  const filter = { definition: "order" };
  const held = await done(here, { verb: "hold", action: "remind", filter, reason: "the text is wrong" });
  expect(held).toMatchObject({ verb: "hold", asks: { action: "remind" }, progress: { released: 3 } });
  expect((await done(here, { verb: "hold", action: "remind", filter })).progress.skipped).toEqual({
    nothing_to_hold: 3,
  });
  expect((await done(here, { verb: "release", action: "remind", filter })).progress.released).toBe(3);
  const moved = await done(here, { verb: "reschedule", action: "remind", at: LATER, filter });
  expect(moved).toMatchObject({ asks: { target: { action: "remind" }, at: LATER }, progress: { released: 3 } });
  for (const id of ids) expect((await run(here, id)).dueAt).toBe(LATER);
  const [{ id: timer }] = (await here.read(String(ids[0]))).timers;
  expect((await done(here, { verb: "reschedule", timer, at: LATER, filter })).progress.released).toBe(3);
  expect((await here.read(String(ids[1]))).timers).toMatchObject([{ id: timer, at: LATER }]);
  const dry = await here.must(200, "POST", "/v1/operations?dryRun=true", {
    body: { verb: "skip", action: "remind", filter },
  });
  expect(dry.sample).toMatchObject({ outcomes: { done: 3 } });
  expect(
    (await done(here, { verb: "skip", action: "remind", filter, reason: "told on the telephone" })).progress.released,
  ).toBe(3);
  for (const id of ids) expect((await here.reaches(id, "completed")).states).toEqual(["spared"]);
  const skipped = (await here.journal(String(ids[0]))).find(({ kind }) => kind === "skipped_by_operator");
  expect(skipped).toMatchObject({ reason: "told on the telephone", actor: { operation: expect.any(String) } });
});

test("ifState goes along: who stands elsewhere is left alone, and said to be", async () => {
  provider();
  const here = await engine(order);
  await open(here, "order", 2);
  const asked = { verb: "cancel", filter: { definition: "order" }, ifState: "done" };
  expect((await done(here, asked)).progress).toMatchObject({ released: 0, skipped: { state_changed: 2 } });
  expect((await done(here, { ...asked, ifState: "waits" })).progress).toMatchObject({ released: 2 });
});

test("a fleet is told what is desired; what is no reconciler says so", async () => {
  provider();
  const here = await engine(fleet, order);
  const ids = await open(here, "fleet", 3);
  await open(here, "order", 1);
  const told = await done(here, { verb: "desire", desired: { image: "b" }, filter: { definition: "fleet" } });
  expect(told).toMatchObject({ asks: { desired: { image: "b" }, mode: "merge" }, progress: { released: 3 } });
  for (const id of ids) expect((await here.read(id)).desired.value).toEqual({ image: "b" });
  const others = await done(here, { verb: "desire", desired: { image: "b" }, filter: { definition: "order" } });
  expect(others.progress.refused).toEqual({ verb_not_applicable: 1 });
});

test("a fleet whose health falls is told no further, and it says so", async () => {
  provider();
  const here = await engine(fleet);
  const ids = await open(here, "fleet", 30);
  const { operation } = await here.must(202, "POST", "/v1/operations", {
    body: {
      verb: "desire",
      desired: { image: "bad" },
      filter: { definition: "fleet" },
      perSecond: 1,
      stopAt: { failedShare: 0.5, after: 2, states: ["Broken"] },
    },
  });
  const stopped = await until("its end", async () => {
    const found = await here.must(200, "GET", `/v1/operations/${operation.id}`);
    return found.finishedAt === null ? null : found;
  });
  expect(stopped).toMatchObject({ status: "stopped", stopped: { why: "unhealthy" } });
  // Its last ones may not have looked yet.
  await until("only those whose turn never came are well", async () => {
    const states = await Promise.all(ids.map(async (id) => (await here.read(id)).state));
    return states.filter((state) => state === "Well").length === stopped.progress.remaining ? true : null;
  });
}, 60_000);
