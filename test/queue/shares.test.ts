// A batch that is larger than a consumer's places is shared out among invocations, and each stands for itself.
import { describe, expect, it } from "vitest";
import { BATCH_MS_MAX, CONSUMER_SLOTS, SUB_BATCHES, SUB_BATCH_MS_MAX } from "#schema/limits/queues/consumers.ts";
import { message, world } from "./world.ts";

const many = (count: number, part: Parameters<typeof message>[0] = {}) =>
  Array.from({ length: count }, (_, at) => message({ id: `m${at}`, execution: `exe_${at}`, run: `${at}.0`, ...part }));

describe("a batch", () => {
  it("that has places for all is carried out where it is", async () => {
    const here = world();
    await here.consume(many(CONSUMER_SLOTS));
    expect([here.shares.length, here.ran.length]).toEqual([0, CONSUMER_SLOTS]);
  });

  it.each([
    [CONSUMER_SLOTS + 1, 2],
    [100, SUB_BATCHES],
  ])("of %i is shared out by %i, every message once, and all are let go", async (count, shares) => {
    const here = world();
    await here.consume(many(count));
    expect(here.shares).toHaveLength(shares);
    expect(here.shares.flat().toSorted()).toEqual(
      many(count)
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(here.ran).toHaveLength(count);
    expect(here.ends.toSorted()).toEqual(
      many(count)
        .map(({ id }) => `done ${id}`)
        .toSorted(),
    );
  });

  it("has what is no message let go before it is shared out, loudly", async () => {
    const here = world();
    await here.consume([...many(CONSUMER_SLOTS), { id: "odd", delivery: 1, body: "1.0" }]);
    expect(here.shares.flat()).not.toContain("odd");
    expect(here.ends).toContain("done odd");
    expect(here.lines).toMatchObject([{ event: "malformed_action_message", id: "odd" }]);
  });

  it("of nothing but such is over with that", async () => {
    const here = world();
    await here.consume(many(7).map((each) => ({ ...each, body: null })));
    expect([here.shares, here.ends.length]).toEqual([[], 7]);
  });
});

describe("a share", () => {
  const has = (id: string) => (messages: readonly { readonly id: string }[]) => messages.some((each) => each.id === id);

  it("whose invocation dies brings its own messages again, and nobody else's", async () => {
    const here = world({
      onShare: async (messages) => {
        if (has("m0")(messages)) throw new Error("it used up its CPU time");
      },
    });
    await here.consume(many(12, { delivery: 2 }));
    const lost = here.shares.find((ids) => ids.includes("m0")) ?? [];
    expect(lost).toHaveLength(6);
    expect(here.ends.filter((end) => end.startsWith("again")).toSorted()).toEqual(
      lost.map((id) => `again ${id} after 4 s`).toSorted(),
    );
    expect(here.ran).toHaveLength(6);
    expect(here.lines).toMatchObject([{ event: "share_lost", count: 6 }]);
  });

  it("that never answers comes again in time, and the others are let go", async () => {
    const here = world({ onShare: (messages) => (has("m0")(messages) ? new Promise(() => {}) : Promise.resolve()) });
    await here.consume(many(12));
    expect(here.ends.filter((end) => end.startsWith("done"))).toHaveLength(6);
    expect(here.ends.filter((end) => end.startsWith("again"))).toHaveLength(6);
    expect(here.now()).toBe(SUB_BATCH_MS_MAX);
    expect(SUB_BATCH_MS_MAX).toBeLessThan(15 * 60_000);
  });

  it("with one run that never ends is cut off by itself: what it did is let go, the rest comes again", async () => {
    const here = world({ takesMs: ({ run }) => (run === "0.0" ? Infinity : 10) });
    await here.consume(many(12));
    expect(here.ends.filter((end) => end.startsWith("again"))).toEqual(["again m0 after 2 s"]);
    expect(here.now()).toBe(BATCH_MS_MAX);
  });
});
