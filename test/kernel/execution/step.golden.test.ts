// Recorded histories come out as they were recorded; test/golden/README.md says what to do when they do not.
import { describe, expect, test } from "vitest";
import { comparable, replay, type History } from "#test/golden/replay.ts";
import lease from "#test/golden/lease.json";
import order from "#test/golden/order.json";
import outage from "#test/golden/outage.json";
import report from "#test/golden/report.json";

// JSON modules are typed by what is in them, not by what they are.
const histories = { lease, order, outage, report } as unknown as { readonly [name: string]: History };

describe.each(Object.entries(histories))("%s", (_name, history) => {
  test("replays to what was recorded", () => {
    const replayed: unknown = JSON.parse(comparable(history, replay(history)));
    expect(replayed).toEqual(JSON.parse(comparable(history, history.recorded)));
  });

  test("byte for byte", () => {
    expect(comparable(history, replay(history))).toBe(comparable(history, history.recorded));
  });
});
