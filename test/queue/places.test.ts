// Places shared by tenants: a greedy neighbour takes what is left over, and what cannot be begun is given back.
import { describe, expect, it } from "vitest";
import { BATCH_BEGINS_MS, BATCH_MS_MAX, CONSUMER_SLOTS, SUB_BATCHES } from "#schema/limits/queues/consumers.ts";
import { TIMEOUT_MS_MAX } from "#schema/limits/run-attempts.ts";
import { message, world } from "./world.ts";

const SECOND = 1_000;
/** Of a batch that is shared out. */
const PLACES = CONSUMER_SLOTS * SUB_BATCHES;

/** So many messages of one tenant, each with a run of its own. */
const many = (tenant: string, count: number, part: Parameters<typeof message>[0] = {}) =>
  Array.from({ length: count }, (_, at) =>
    message({ tenant, id: `${tenant}${at}`, execution: `exe_${tenant}`, run: `${tenant}.${at}`, ...part }),
  );

const startOf = (begun: readonly string[], run: string) =>
  Number(begun.find((line) => line.startsWith(run))?.split(" at ")[1]);

describe("one tenant's flood of slow actions", () => {
  const flood = { takesMs: ({ run }: { run: string }) => (run.startsWith("flood") ? 30 * SECOND : 10) };

  it("does not keep another tenant's messages of the same batch waiting, whoever came first and is more urgent", async () => {
    const here = world(flood);
    await here.consume([...many("flood", 94, { priority: 99 }), ...many("quiet", 6)]);
    for (let at = 0; at < 6; at++) expect(startOf(here.begun, `quiet.${at}`)).toBeLessThan(100);
  });

  it("is given back after ten seconds: the batch is over with the slowest of what had a place", async () => {
    const here = world(flood);
    await here.consume(many("flood", 100, { timeoutMs: 60 * SECOND }));
    expect(here.ran).toHaveLength(PLACES);
    expect(here.now()).toBeLessThan(31 * SECOND);
    expect(here.sentBack).toHaveLength(100 - PLACES);
  });

  it("of the longest actions there may be ends within the platform's 15 minutes, every one settled", async () => {
    const here = world({ takesMs: () => TIMEOUT_MS_MAX, timeoutMs: TIMEOUT_MS_MAX });
    await here.consume(many("flood", 100, { timeoutMs: TIMEOUT_MS_MAX }));
    expect(here.settled).toHaveLength(PLACES);
    expect(here.now()).toBeLessThan(BATCH_MS_MAX);
  });
});

it.each([CONSUMER_SLOTS - 1, 60])("a slow action holds up none of %i others in its batch", async (count) => {
  const here = world({ takesMs: ({ run }) => (run === "slow" ? 45 * SECOND : 10) });
  await here.consume([
    message({ tenant: "acme", id: "slow", execution: "exe_slow", run: "slow" }),
    ...many("acme", count),
  ]);
  for (let at = 0; at < count; at++) expect(startOf(here.begun, `acme.${at}`)).toBeLessThan(SECOND);
  expect(here.settled.slice(0, -1).map(({ run }) => run)).not.toContain("slow");
  expect(here.ends).toHaveLength(count + 1);
  expect(here.now()).toBeLessThan(46 * SECOND);
});

describe("what is not begun in its batch", () => {
  const stuck = { takesMs: () => 11 * SECOND };

  it("is sent anew and the old message let go: no delivery is spent, and none is counted on it", async () => {
    const here = world(stuck);
    const waiting = many("acme", PLACES + 2, { attempt: 3, priority: 5 });
    await here.consume(waiting);
    const bodies = new Map(waiting.map(({ body }) => [body.run, body]));
    const left = [...bodies.keys()].filter((run) => !here.ran.includes(run));
    expect(left).toHaveLength(2);
    expect(here.sentBack).toEqual(left.map((run) => ({ queue: "short", body: bodies.get(run) })));
    expect(here.ends.filter((end) => end.startsWith("again"))).toEqual([]);
    expect(here.ends).toHaveLength(PLACES + 2);
    expect(here.claims.flat()).toHaveLength(PLACES);
  });

  it("goes back into the queue for slow ones if it is one", async () => {
    const here = world(stuck);
    await here.consume(many("acme", PLACES + 1, { timeoutMs: 60 * SECOND }));
    expect(here.sentBack.map(({ queue }) => queue)).toEqual(["slow"]);
  });

  it("comes again as it is where the queue takes nothing", async () => {
    const here = world({ ...stuck, sendBackFails: true });
    await here.consume(many("acme", PLACES + 1, { delivery: 3 }));
    expect(here.ends.filter((end) => end.startsWith("again"))).toEqual([
      expect.stringMatching(/^again acme\d+ after 8 s$/),
    ]);
    expect(here.lines).toMatchObject([{ event: "actions_not_requeued", count: 1 }]);
  });
});

it("never more are under way than there are places, and all are in the end", async () => {
  const here = world({ takesMs: ({ run }) => run.length * 3 });
  await here.consume([...many("a", 40), ...many("b", 40), ...many("c", 20)]);
  expect(here.ran).toHaveLength(100);
  expect(here.mostAtOnce()).toBe(PLACES);
  expect(here.sentBack).toEqual([]);
});

it("runs of one cell that begin together are claimed in one call", async () => {
  const here = world();
  await here.consume(many("acme", CONSUMER_SLOTS));
  expect(here.claims.map((items) => items.length)).toEqual([CONSUMER_SLOTS]);
});

it("a tenant's most urgent goes first, with those of its cell", async () => {
  const here = world({ takesMs: () => 50 });
  const first = many("acme", CONSUMER_SLOTS - 2, { execution: "exe_other" });
  const urgent = message({ tenant: "acme", id: "urgent", execution: "exe_urgent", run: "urgent", priority: 9 });
  const beside = message({ tenant: "acme", id: "beside", execution: "exe_urgent", run: "beside" });
  await here.consume([...first, beside, urgent]);
  expect(here.ran.slice(0, 2)).toEqual(["urgent", "beside"]);
});

it("nothing begins once a batch has had its ten seconds", async () => {
  const here = world({ takesMs: () => 4 * SECOND });
  await here.consume(many("acme", 100));
  expect(here.ran).toHaveLength(3 * PLACES);
  expect(here.sentBack).toHaveLength(100 - 3 * PLACES);
  expect(here.now()).toBeLessThan(BATCH_BEGINS_MS + 5 * SECOND);
});
