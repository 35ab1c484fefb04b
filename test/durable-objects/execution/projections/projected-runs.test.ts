// Tests which finished runs a cell does not project again, and the limit of that cache.
import { expect, it } from "vitest";
import { openProjectedRuns } from "#objects/execution/projections/projected-runs.ts";
import { PROJECTED_RUNS_CACHED_CHARS, PROJECTED_RUNS_WEIGHT_MIN } from "#schema/limits/executions.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { action, failure, machine } from "#test/support/drive.ts";
import { begin, openTestCell } from "../cell.ts";

const id = "exe_1_p1";

/** Creates an execution with a permanently failed run that continues to wait. */
async function waiting(): Promise<ExecutionState> {
  const call = action("call", { triggerState: "go", lane: "queue", retryPolicy: { maxAttempts: 1 } });
  const cell = openTestCell();
  const of = { execution: id, direct: false };
  await cell.take(begin(id, machine({ states: { go: { on: { x: "go" } } }, actions: [call] })));
  await cell.take({ ...of, command: { kind: "claim", run: "1.0", attempt: 1, lane: "queue" } });
  await cell.take({ ...of, command: { kind: "settle", run: "1.0", attempt: 1, outcome: failure() } });
  const state = cell.read(id);
  if (state === null) throw new Error("it is there");
  return state;
}

const idsOf = (runs: readonly { readonly id: string }[]): readonly string[] => runs.map((run) => run.id);
const MANY = PROJECTED_RUNS_CACHED_CHARS / PROJECTED_RUNS_WEIGHT_MIN;

it("a finished run is projected once, and again after an operator has archived it", async () => {
  const [state, told] = [await waiting(), openProjectedRuns()];
  expect(idsOf(told.unprojected(state))).toEqual(["1.0"]);
  told.noteProjected(state);
  expect(told.unprojected(state)).toEqual([]);
  const archived = { ...state, runs: state.runs.map((run) => ({ ...run, deadLetter: false })) };
  expect(idsOf(told.unprojected(archived))).toEqual(["1.0"]);
});

it("a run whose id is a prefix of another id is not confused with it", async () => {
  const [state, told] = [await waiting(), openProjectedRuns()];
  const numbered = (run: string) => ({ ...state, runs: state.runs.map((each) => ({ ...each, id: run })) });
  told.noteProjected(numbered("11.0"));
  expect(idsOf(told.unprojected(numbered("1.0")))).toEqual(["1.0"]);
});

it("executions without finished runs evict nothing", async () => {
  const [state, told] = [await waiting(), openProjectedRuns()];
  told.noteProjected(state);
  for (let n = 0; n < MANY; n++) told.noteProjected({ ...state, id: `exe_${n}s_p1`, runs: [] });
  expect(told.unprojected(state)).toEqual([]);
});

it("above the cache limit, the oldest runs are projected again", async () => {
  const [state, told] = [await waiting(), openProjectedRuns()];
  told.noteProjected(state);
  for (let n = 0; n < MANY; n++) told.noteProjected({ ...state, id: `exe_${n}s_p1` });
  expect(idsOf(told.unprojected(state))).toEqual(["1.0"]);
  expect(told.unprojected({ ...state, id: `exe_${MANY - 1}s_p1` })).toEqual([]);
});

it("a new instance of the object projects all runs again", async () => {
  const state = await waiting();
  openProjectedRuns().noteProjected(state);
  expect(idsOf(openProjectedRuns().unprojected(state))).toEqual(["1.0"]);
});
