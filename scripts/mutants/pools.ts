// Mutants of pools: an execution's cell, the number of cells, and what shares a batch or a commit in a cell.
import { mutantsOf, type Mutant } from "./mistake.ts";

export const poolMutants: readonly Mutant[] = [
  ...mutantsOf("src/policy/pools/load.ts", [
    {
      from: "if (load.since === null || epoch > load.epoch) {",
      to: "if (load.since === null) {",
      why: "what came before a pool grew counts for the grown one",
    },
    { from: "starts: load.starts + count", to: "starts: load.starts + 1", why: "a list of starts counts as one" },
    { from: "elapsed < POOL_WINDOW_MS", to: "elapsed < 0", why: "a burst of a moment is a load" },
    {
      from: "return reportIfDue({ ...counted, since: now, starts: 0 }, report, now);",
      to: "return reportIfDue({ ...counted, since: now }, report, now);",
      why: "starts are counted again in the next stretch of time",
    },
    {
      from: "if (!isDue(load.pressedAt, POOL_OVERLOAD_REPORT_EVERY_MS, now)) return { load, report: null };",
      to: "",
      why: "a cell under pressure tells of it all the time",
    },
    { from: "|| bytes > POOL_CELL_BYTES_MAX", to: "", why: "a full cell is given more, however few starts it has" },
    {
      from: "startsPerS > POOL_STARTS_PER_S_MAX / POOL_SHRINK_FACTOR",
      to: "startsPerS > POOL_STARTS_PER_S_MAX",
      why: "a pool becomes smaller than what it has to do",
    },
    {
      from: "!isDue(load.neededAt, POOL_NEEDED_REPORT_EVERY_MS, now)",
      to: "false",
      why: "a cell with enough to do says so all the time",
    },
  ]),
  ...mutantsOf("src/policy/pools/resize.ts", [
    {
      from: "report.epoch !== pool.epoch ||",
      to: "",
      why: "what all cells of a pool tell of one crowd makes it grow for each of them",
    },
    { from: "|| size >= POOL_SIZE_MAX", to: "", why: "a pool that is as large as can be changes nevertheless" },
    {
      from: "Math.min(size * factorFor(report), POOL_SIZE_MAX)",
      to: "size * factorFor(report)",
      why: "no end of cells",
    },
    {
      from: "layers.includes(size) ? layers : [...layers, size]",
      to: "[size]",
      why: "keys of before are looked for in no other cell",
    },
    {
      from: "layers.includes(size) ? layers : [...layers, size]",
      to: "[...layers, size]",
      why: "a size that a pool had before is remembered twice",
    },
    { from: "epoch: epoch + 1", to: "epoch", why: "nobody can tell a pool from what it was" },
    { from: "startsPerS > 2 * POOL_STARTS_PER_S_MAX", to: "false", why: "a crowd of four is given the room of two" },
  ]),
  ...mutantsOf("src/policy/pools/layout.ts", [
    { from: "FIRST + size + (chance % size)", to: "FIRST + size", why: "what has no key is all in one cell" },
    {
      from: ".filter((layer) => layer !== layerOf(cell))",
      to: ".filter((layer) => layer < (layerOf(cell) ?? 0))",
      why: "after a pool has shrunk its keys are not looked for in the larger layer",
    },
    {
      from: "a[0] < b[1] && b[0] < a[1]",
      to: "a[0] <= b[1] && b[0] <= a[1]",
      why: "a cell asks neighbours that never had a key of its own",
    },
    {
      from: "beyond === BUCKETS ? null : boundary(beyond)",
      to: "boundary(beyond)",
      why: "the last cell leaves its keys to nobody",
    },
    { from: "key >= from && (to === null || key < to)", to: "key >= from", why: "a cell takes its neighbours' keys" },
    {
      from: "cell >= FIRST + size && cell < FIRST + 2 * size",
      to: "cell >= FIRST + size",
      why: "cells of larger pools count as those of the smallest",
    },
    { from: "base32Value(key, 1) >> 4", to: "0", why: "half of 64 cells stay empty" },
    {
      from: "number === null ? execution :",
      to: "execution !== null ? execution :",
      why: "who is told where a key leads asks the same cell again",
    },
  ]),
  ...mutantsOf("src/policy/gates/slices.ts", [
    { from: "if (eachMs === null) return DUE_SLICE_EXECUTIONS;", to: "", why: "the first slice has no bound" },
    {
      from: "Math.min(Math.max(fitting, DUE_SLICE_EXECUTIONS), DUE_SLICE_EXECUTIONS_MAX)",
      to: "Math.max(fitting, DUE_SLICE_EXECUTIONS)",
      why: "a turn has no end where each takes no time",
    },
    {
      from: "Math.min(Math.max(fitting, DUE_SLICE_EXECUTIONS), DUE_SLICE_EXECUTIONS_MAX)",
      to: "Math.min(fitting, DUE_SLICE_EXECUTIONS_MAX)",
      why: "where each takes long, none is done",
    },
    {
      from: "size < DUE_SLICE_EXECUTIONS ? before :",
      to: "",
      why: "one that waited for something else makes all slices small",
    },
  ]),
  ...mutantsOf("src/policy/gates/group-commit.ts", [
    { from: "inFlight >= GROUP_COMMIT_FROM", to: "false", why: "calls under way are nobody's company" },
    { from: "|| recentExecutions > GROUP_COMMIT_FROM", to: "", why: "what came just now is nobody's company" },
    { from: "recentExecutions > GROUP_COMMIT_FROM", to: "recentExecutions > 0", why: "who is alone waits for nobody" },
  ]),
  ...mutantsOf("src/policy/gates/sub-batches.ts", [
    {
      from: "for (const batch of batches) batch.ofTenant = 0;",
      to: "",
      why: "a small tenant's are where a flood is not, all of them",
    },
    {
      from: "if (one.ofTenant !== other.ofTenant) return one.ofTenant < other.ofTenant;",
      to: "",
      why: "a flood is not in every share",
    },
    {
      from: "return one.items.length < other.items.length;",
      to: "return false;",
      why: "of tenants with one each all are in the first share",
    },
    {
      from: "Math.round(items.length / itemsPerBatch)",
      to: "Math.ceil(items.length / itemsPerBatch)",
      why: "a cell's are torn apart for one that is too many",
    },
    {
      from: "Math.min(items.length, Math.max(1, Math.round(items.length / itemsPerBatch)))",
      to: "1",
      why: "a cell's are all in one share, however many",
    },
  ]),
];
