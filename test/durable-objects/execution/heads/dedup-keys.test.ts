// Tests dedup keys within one cell: one action in a window, whatever else the turn does.
import { describe, expect, it } from "vitest";
import { failure, hour, minute, second } from "#test/support/drive.ts";
import { actor, answers, lone, openTestCell, start } from "../cell.ts";

const DIGEST = "0".repeat(26);
/** Creates an id as the service does: the start time follows the key's digest. */
const idAt = (time: number): string => `exe_d${DIGEST}${String(time).padStart(10, "0")}_p1`;
const [one, two, three] = [idAt(1), idAt(2), idAt(3)];
const within = (windowMs: number) => lone({ key: "k", windowMs });

describe("a dedup key", () => {
  it("finds the action in its window, although the turn has changed an older one", async () => {
    const cell = openTestCell();
    await cell.take(start(one, "a", within(minute)));
    const run = { execution: one, direct: false };
    await cell.take({ ...run, command: { kind: "claim", run: "1.0", attempt: 1, lane: "queue" } });
    await cell.take({ ...run, command: { kind: "settle", run: "1.0", attempt: 1, outcome: failure() } });
    cell.at(hour);
    expect(answers(await cell.take(start(two, "b", within(minute))))).toEqual([[two, false]]);
    cell.at(hour + second);
    const retry = { kind: "retry", run: "1.0", config: null, variables: null, reason: null } as const;
    const redriven = { ...run, command: { ...retry, inputId: "r", fingerprint: "f", actor } };
    expect(answers(await cell.take(redriven, start(three, "c", within(minute))))).toEqual([
      [one, false],
      [two, true],
    ]);
  });

  it("is not used up by an action that could not be stored", async () => {
    const cell = openTestCell();
    cell.breaks(true);
    expect(answers(await cell.take(start(two, "b", within(minute))))).toEqual(["internal_error"]);
    cell.breaks(false);
    expect(answers(await cell.take(start(one, "a", within(minute))))).toEqual([[one, false]]);
    expect(answers(await cell.take(start(three, "c", within(minute))))).toEqual([[one, true]]);
  });

  it.each(["as it goes", "after a restart"])("finds an action whose start took long, %s", async (when) => {
    const cell = openTestCell();
    await cell.take(start(two, "b", within(second)));
    cell.at(5 * second);
    expect(answers(await cell.take(start(one, "a", within(second))))).toEqual([[one, false]]);
    if (when === "after a restart") cell.restart();
    expect(answers(await cell.take(start(three, "c", within(second))))).toEqual([[one, true]]);
  });

  it("distinguishes a repeat from a new action after the window", async () => {
    const cell = openTestCell();
    await cell.take(start(one, "a", within(second)));
    cell.at(2 * second);
    await cell.take(start(two, "b", within(second)));
    cell.at(4 * second);
    cell.restart();
    expect(answers(await cell.take(start(three, "a", within(second))))).toEqual([[one, true]]);
    expect(answers(await cell.take(start(three, "c", within(second))))).toEqual([[three, false]]);
  });

  it("starts one action for all starts of a turn", async () => {
    const cell = openTestCell();
    const all = [one, two, three].map((id) => start(id, id, within(minute)));
    expect(answers(await cell.take(...all)).map(([id]) => id)).toEqual([one, one, one]);
  });
});
