import { describe, expect, it } from "vitest";
import { nextRequest } from "#policy/polling/step.ts";
import { POLL_LIST_ITEMS_MAX } from "#schema/limits/inbound/polling.ts";
import { cursor, EVERY, failure, item, Memory, nothing, NOW } from "./traces.ts";

describe("a poll cycle", () => {
  it("reads page by page and rests after the last page", () => {
    const poller = new Memory();
    poller.page(["a", "b"], "2");
    expect(nextRequest(poller.state, nothing, NOW)?.cursor).toEqual(cursor("2"));
    expect(poller.state.last).toMatchObject({ outcome: "items", found: 2 });
    poller.page(["c"]);
    expect(poller.state).toMatchObject({
      cycle: null,
      cyclesCompleted: 1,
      nextAt: NOW + EVERY,
      last: { outcome: "items", found: 3 },
    });
    expect(poller.release()).toEqual(["a", "b", "c"]);
    expect(nextRequest(poller.state, nothing, NOW)).toBeNull();
  });

  it("delivers an item once, even if it is listed repeatedly", () => {
    const poller = new Memory();
    poller.page(["a", "b", "a"], "2");
    poller.page(["b", "c"]);
    poller.wait();
    poller.page(["c", "b", "a", "d"]);
    expect(poller.release()).toEqual(["a", "b", "c", "d"]);
    expect(poller.state.last).toMatchObject({ outcome: "items", found: 1 });
    poller.wait();
    poller.page(["a"]);
    expect(poller.state.last).toMatchObject({ outcome: "unchanged", found: 0 });
  });

  it("records existing items without delivering them if it starts from now", () => {
    const poller = new Memory({ from: "now" });
    poller.page(["a"], "2");
    expect(poller.state.last).toMatchObject({ outcome: "baseline", found: 0 });
    poller.page(["b"]);
    expect(poller.state).toMatchObject({ hasBaseline: true, last: { outcome: "baseline" } });
    poller.wait();
    poller.page(["a", "b", "c"]);
    expect(poller.release()).toEqual(["c"]);
  });

  it("delivers the oldest item first, in a newest-first list only after the whole cycle", () => {
    const poller = new Memory({ order: "newest_first" });
    poller.page(["d", "c"], "2");
    expect(poller.release()).toEqual([]);
    poller.page(["b", "a"]);
    expect(poller.release()).toEqual(["a", "b", "c", "d"]);
    poller.wait();
    poller.page(["f", "e"], "2");
    poller.page(["e", "d"], "3");
    poller.page(["c", "b"], "4");
    expect(poller.state.cycle).toBeNull();
    expect(poller.release()).toEqual(["e", "f"]);
  });

  it("restarted keeps the order of newer and older items than those held", () => {
    const poller = new Memory({ order: "newest_first" });
    poller.page(["d", "c"], "2");
    poller.answer(failure({ isFinal: true }));
    poller.wait();
    poller.page(["f", "e"], "2");
    poller.page(["d", "c"], "3");
    poller.page(["b", "a"]);
    expect(poller.release()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  it("restarted repeatedly keeps the order of the items between", () => {
    const poller = new Memory({ order: "newest_first" });
    for (const ids of [["d", "c"], ["h"]]) {
      poller.page(ids, "2");
      poller.answer(failure({ isFinal: true }));
      poller.wait();
    }
    poller.page(["i", "h", "g"], "2");
    poller.page(["h", "g", "f", "e"], "3");
    poller.page(["d", "c", "b"]);
    expect(poller.release()).toEqual(["b", "c", "d", "e", "f", "g", "h", "i"]);
  });

  it("of a long baseline stops early only in a newest-first list", () => {
    const poller = new Memory({ order: "newest_first", from: "now" });
    poller.page(
      Array.from({ length: 1_000 }, (_, n) => `i${n}`),
      "2",
    );
    expect(poller.state).toMatchObject({ hasBaseline: true, cycle: null });
  });

  it.each([
    ["to the same page", [["2", "2"]]],
    ["in a circle", [["2", "3", "4", "2", "3", "4", "2"]]],
  ])("whose paging leads %s fails and keeps its items", (_how, [nexts = []]) => {
    const poller = new Memory();
    for (const [n, next] of nexts.entries()) if (poller.state.trouble === null) poller.page([`i${n}`], next);
    expect(poller.state).toMatchObject({ trouble: { code: "cursor_frozen" }, failures: 1, cycle: null });
    expect(poller.state.nextAt).toBe(NOW + EVERY);
    expect(poller.release().length).toBeGreaterThan(1);
  });

  it("without an end fails", () => {
    const poller = new Memory({ resume: "cursor" });
    for (let n = 1; poller.state.trouble === null; n++) poller.page([`i${n}`], String(n));
    expect(poller.state.trouble.code).toBe("too_many_pages");
  });

  it("of a list that is too long to compare fails and takes no further items", () => {
    const poller = new Memory();
    const many = Array.from({ length: POLL_LIST_ITEMS_MAX }, (_, n) => `i${n}`);
    poller.page(many, "2");
    poller.page(["more"]);
    expect(poller.state.trouble?.code).toBe("list_too_long");
    expect(poller.seen.has("more")).toBe(false);
  });
});

describe("a feed with a stored position", () => {
  it("starts where the last cycle ended", () => {
    const poller = new Memory({ resume: "cursor" });
    poller.page(["a"], "2");
    poller.page([], "2");
    expect(poller.state).toMatchObject({ cycle: null, cursor: cursor("2"), trouble: null });
    poller.wait();
    expect(nextRequest(poller.state, nothing, poller.now)?.cursor).toEqual(cursor("2"));
    poller.page(["b"], "3");
    poller.page(["b"], "3");
    expect(poller.state).toMatchObject({ cycle: null, cursor: cursor("3"), trouble: null });
    expect(poller.release()).toEqual(["a", "b"]);
  });

  it("stays at its last page, which may still grow", () => {
    const poller = new Memory({ resume: "cursor" });
    poller.page(["a"], "2");
    poller.page(["b"], null, "v1");
    expect(poller.state).toMatchObject({ cursor: cursor("2"), validators: { etag: "v1" } });
  });

  it("whose cursor does not change although there is more fails", () => {
    const poller = new Memory({ resume: "cursor" });
    poller.page(["a"], "2");
    expect(poller.page(["b"], "2").trouble?.code).toBe("cursor_frozen");
  });
});

describe("a changed item", () => {
  it("by content is delivered again with another id", () => {
    const poller = new Memory({ change: "hash" });
    for (const hash of ["one", "two", "two", "one"]) {
      poller.page([item("a", hash)]);
      poller.wait();
    }
    expect(poller.release()).toEqual(["a@0.1", "a@0.2", "a@0.3"]);
  });

  it("is not read if the validator shows no change", () => {
    const poller = new Memory();
    poller.page(["a"], null, "v1");
    poller.wait();
    expect(nextRequest(poller.state, nothing, poller.now)?.validators).toEqual({ etag: "v1", lastModified: null });
    poller.answer({ kind: "unchanged" });
    expect(poller.state).toMatchObject({ last: { outcome: "unchanged" }, nextAt: poller.now + EVERY });
  });

  it.each([
    ["newest_first", { etag: "first", lastModified: null }],
    ["oldest_first", null],
  ] as const)("in a list of several pages, %s, is detected by %o", (order, validators) => {
    const poller = new Memory({ order });
    poller.page(["b"], "2", "first");
    poller.page(["a"], null, "second");
    expect(poller.state.validators).toEqual(validators);
  });

  it("that is seen again is remembered longer", () => {
    const poller = new Memory();
    poller.seen.set("old", { hash: "", version: 1, cycle: -1, base: 0, n: 1 });
    poller.state = { ...poller.state, counter: 50_000 };
    poller.page(["old", "old"]);
    expect(poller.seen.get("old")).toMatchObject({ n: 50_000, cycle: -1 });
  });

  it("with trouble is delivered with its trouble", () => {
    const poller = new Memory();
    const trouble = { code: "id_missing", message: "it has no id" };
    poller.page([{ ...item("~1"), trouble }]);
    expect(poller.held).toMatchObject([{ deliveryId: "~1", trouble }]);
  });
});

describe("a failure", () => {
  it("between pages keeps the position, with growing gaps", () => {
    const poller = new Memory();
    poller.page(["a"], "2");
    const gaps = [30_000, 60_000, 120_000].map((gapMs) => {
      poller.answer(failure());
      expect(poller.state.nextAt).toBe(poller.now + gapMs);
      poller.wait();
      return nextRequest(poller.state, nothing, poller.now)?.cursor;
    });
    expect(gaps).toEqual([cursor("2"), cursor("2"), cursor("2")]);
    poller.page(["b"]);
    expect(poller.state).toMatchObject({ failures: 0, trouble: null });
    expect(poller.release()).toEqual(["a", "b"]);
  });

  it.each([
    ["as long as the provider requests", { retryAfterMs: 500_000 }, 500_000],
    ["a day at most", { retryAfterMs: 9e9 }, 86_400_000],
    ["for the interval after a permanent failure", { isFinal: true }, EVERY],
  ])("waits %s", (_what, over, gapMs) => {
    const poller = new Memory();
    expect(poller.answer(failure(over)).nextAt).toBe(NOW + gapMs);
  });

  it("that is permanent behind a cursor restarts at the first page", () => {
    const poller = new Memory();
    poller.page(["a"], "2");
    poller.answer(failure({ isFinal: true }));
    poller.wait();
    expect(nextRequest(poller.state, nothing, poller.now)?.cursor).toBeNull();
  });
});
