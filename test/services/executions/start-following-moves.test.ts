// Starts whose key has moved to another cell: the cell that refuses the start, and the cell that is called next.
import { expect, it, test } from "vitest";
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { POOL_TRIES_MAX } from "#schema/limits/pool-cells.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import type { PlannedStart } from "#services/executions/plan-start.ts";
import { startFollowingMoves } from "#services/executions/start-executions.ts";

const KEY = "V0000000000000000000000000";
const id = (cell: number, key = KEY): string => `exe_k${key}_p${cell}`;
const four: Pool = { epoch: 1, size: 4, layers: [1, 4] };
const moved: Refusal = {
  code: "unavailable",
  message: "moved",
  details: { why: "pool_moved", pool: { ...four, layers: [1, 4] } },
};
const elsewhere = (cell: number): Refusal => ({
  code: "unavailable",
  message: "there",
  details: { why: "key_elsewhere", cell },
});

function plan(execution: string): Result<PlannedStart> {
  const pool = { epoch: 0, size: 1, layers: [1] };
  const command = {
    execution,
    tenant: "t",
    placement: "pooled",
    definition: { id: "def_following", name: "d", version: 1 },
  };
  return accept({ command, definition: null, pool } as unknown as PlannedStart); // the fields that are read
}

/** Cells that refuse some executions, and start all others. `called` lists each call as cell@epoch of the pool. */
function cells(refusals: { readonly [execution: string]: Refusal }) {
  const called: string[] = [];
  const start = async (items: readonly StartItem[]): Promise<readonly Result<Reply>[]> =>
    items.map(({ command: { execution }, pool }) => {
      called.push(`${execution.split("_p")[1]}@${pool?.epoch}`);
      const refusal = refusals[execution];
      return refusal ? refuse(refusal) : accept({ state: { id: execution } } as unknown as Reply);
    });
  const deps = {
    now: () => 0,
    log: () => {},
    cell: () => ({ start }) as never, // the only method that is called
    subject: () => null as never, // no start has a subject
    keyLimits: () => null as never, // no start has a limit
  };
  return { called, startAll: (...plans: Result<PlannedStart>[]) => startFollowingMoves(deps, "t", plans, false) };
}

test.each<[string, string, { readonly [execution: string]: Refusal }, readonly string[]]>([
  ["is accepted by the planned cell", id(101), {}, ["101@0"]],
  ["follows a resized pool to the key's new cell", id(101), { [id(101)]: moved }, ["101@0", "107@1"]],
  ["follows its key to the cell that used it first", id(107), { [id(107)]: elsewhere(101) }, ["107@0", "101@0"]],
  [
    "follows its key twice if the pool was resized meanwhile",
    id(103),
    { [id(103)]: elsewhere(101), [id(101)]: moved },
    ["103@0", "101@0", "107@1"],
  ],
])("a start %s", async (_what, execution, refusals, expected) => {
  const { called, startAll } = cells(refusals);
  const [answer] = await startAll(plan(execution));
  expect([answer?.ok, called]).toEqual([true, expected]);
});

it("only moved starts are sent again, and the answers keep their order", async () => {
  const other = id(101, "10000000000000000000000000");
  const { called, startAll } = cells({ [id(101)]: moved });
  const refused: Result<PlannedStart> = refuse({ code: "invalid_input", message: "no" });
  const answers = await startAll(plan(other), refused, plan(id(101)));
  expect(called).toEqual(["101@0", "101@0", "107@1"]);
  expect(answers.map((answer) => (answer.ok ? answer.value.state.id : answer.refusal.code))).toEqual([
    other,
    "invalid_input",
    id(107),
  ]);
});

it("a start that two cells send to each other is refused as unavailable", async () => {
  const { called, startAll } = cells({ [id(107)]: elsewhere(101), [id(101)]: elsewhere(107) });
  const [answer] = await startAll(plan(id(107)));
  expect(answer).toMatchObject({ ok: false, refusal: { code: "unavailable", retryAfterS: 1 } });
  expect(called).toHaveLength(POOL_TRIES_MAX);
});

it("the refusal of a moved start contains the id of the moved execution", async () => {
  const conflict: Refusal = { code: "idempotency_conflict", message: "another body" };
  const { startAll } = cells({ [id(107)]: elsewhere(101), [id(101)]: conflict });
  const [answer] = await startAll(plan(id(107)));
  expect(answer).toEqual(refuse({ ...conflict, details: { execution: id(101) } }));
});

test.each<[string, string, readonly string[]]>([
  ["the same key in another cell is started there", id(101), ["107@0", "101@0"]],
  ["another key is refused", id(101, "10000000000000000000000000"), ["107@0"]],
  ["an execution without a key is refused", "exe_ada", ["107@0"]],
])("a start whose subject is enrolled by %s", async (_what, by, expected) => {
  const enrolled: Refusal = { code: "already_enrolled", message: "in it", details: { execution: by } };
  const { called, startAll } = cells({ [id(107)]: enrolled });
  await startAll(plan(id(107)));
  expect(called).toEqual(expected);
});
