// What a dry run shows of what would be done.
import { describe, expect, test } from "vitest";
import { presentWould } from "#wire/history/dry-run.ts";
import type { Reply } from "#schema/engine/cell.ts";
import { DRY_RUN_BYTES_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import { action, drive, T0 } from "#test/support/drive.ts";

const t = drive({
  states: { a: { on: { go: "b" } }, b: {} },
  actions: [action("mail", { triggerState: "a" })],
}).start();
const reply = (part: Partial<Reply>): Reply => ({ state: t.state, seq: 1, repeated: false, moves: [], ...part });
const claimed = (config: Record<string, string>) =>
  ({ seq: 1, n: 0, at: T0, kind: "run_claimed", run: "1.0", attempt: 1, config }) as const;

describe("what would be done", () => {
  test("is the entries of the journal, and what is sent with whose action's it is", () => {
    const effects = [
      { kind: "dispatch", run: "1.0", attempt: 1, priority: 0, lane: "queue" },
      { kind: "abort", run: "9.9", attempt: 1 },
      { kind: "project" },
    ] as const;
    const { entries, would } = presentWould(reply({ entries: [claimed({ url: "x" })], effects }));
    expect(would).toEqual({
      entries: [{ ...claimed({ url: "x" }), at: "2026-01-05T09:00:00.000Z" }],
      effects: [{ ...effects[0], action: "mail", type: "webhook" }, effects[1], effects[2]],
      leftOut: { entries: 0, effects: 0 },
    });
    expect(entries).toEqual(would?.entries);
  });

  test("has credentials blotted out, as the journal has", () => {
    const { would } = presentWould(reply({ entries: [claimed({ apiKey: "secret-thing" })], effects: [] }));
    expect(JSON.stringify(would)).not.toContain("secret-thing");
  });

  test("is cut where it is more than an answer holds, in bytes and not in letters", () => {
    const half = claimed({ text: "é".repeat(DRY_RUN_BYTES_MAX / 4) });
    const { would } = presentWould(reply({ entries: [half, half, half], effects: [{ kind: "project" }] }));
    expect([would?.entries.length, would?.leftOut]).toEqual([1, { entries: 2, effects: 0 }]);
  });

  test("is nothing where nothing was tried, and has no effects where an object of before does not say", () => {
    expect(presentWould(reply({}))).toEqual({});
    expect(presentWould(reply({ entries: [] })).would).toEqual({
      entries: [],
      effects: [],
      leftOut: { entries: 0, effects: 0 },
    });
  });
});
