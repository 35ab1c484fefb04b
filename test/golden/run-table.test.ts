// The table of what becomes of runs is what a person has read.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFinalRun, runStatuses } from "#schema/engine/run.ts";
import { runTable, situations } from "./run-table.ts";

describe("the table of runs", () => {
  it("is as it was recorded: read the difference, and record it again with `node scripts/record-golden.ts`", () => {
    expect(runTable()).toBe(readFileSync(join(import.meta.dirname, "runs.txt"), "utf8"));
  });

  it("has every status that a run can be in", () => {
    const found = new Set(Object.values(situations).map((make) => make().state.runs[0]?.status));
    expect(found).toEqual(new Set(runStatuses));
  });

  it("begins each situation where its name says", () => {
    for (const [name, make] of Object.entries(situations)) expect(make().state.runs[0]?.status).toBe(name.split(":")[0]);
  });

  it("has runs that never go back from an end but by a retry, or to a success", () => {
    const ended = Object.entries(situations).filter(([, make]) => make().state.runs.every((run) => isFinalRun(run.status)));
    const names = new Set(ended.map(([name]) => name));
    const blocks = runTable().split("\n\n").filter((block) => [...names].some((name) => block.startsWith(`${name}  `)));
    expect(blocks).toHaveLength(names.size);
    const alive = /\b(scheduled|queued|running|retry) #/;
    const back = blocks.flatMap((block) => block.split("\n").slice(2).filter((line) => alive.test(line)));
    expect(back.every((line) => line.startsWith("  retry: "))).toBe(true);
  });
});
