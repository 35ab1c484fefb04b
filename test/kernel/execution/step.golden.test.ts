// Recorded histories are reproduced exactly; test/golden/README.md says how to handle a difference.
import { describe, expect, test } from "vitest";
import { comparable, replay, type History } from "#test/golden/replay.ts";
import lease from "#test/golden/lease.json";
import order from "#test/golden/order.json";
import outage from "#test/golden/outage.json";
import report from "#test/golden/report.json";

// JSON modules are typed by their content, not by the history's type.
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
