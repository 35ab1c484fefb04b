// Where a start goes on when its key leads elsewhere: what each cell says, and whom is asked next.
import { expect, it, test } from "vitest";
import type { Reply } from "#schema/engine/cell.ts";
import { POOL_TRIES_MAX } from "#schema/limits/placement.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { followMoves } from "#services/pools/follow-moves.ts";
import type { PlannedStart } from "#services/subjects/admit-starts.ts";

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
  return accept({ command: { execution }, definition: null, pool } as unknown as PlannedStart); // what is looked at
}

/** What each id is answered; one that is not named starts. */
function cells(says: { readonly [execution: string]: Refusal }) {
  const asked: string[] = [];
  const start = async (plans: readonly Result<PlannedStart>[]): Promise<readonly Result<Reply>[]> =>
    plans.map((each) => {
      if (!each.ok) return each;
      const { execution } = each.value.command;
      asked.push(`${execution.split("_p")[1]}@${each.value.pool?.epoch}`);
      const refusal = says[execution];
      return refusal ? refuse(refusal) : accept({ state: { id: execution } } as unknown as Reply);
    });
  return { asked, start };
}

test.each<[string, string, { readonly [execution: string]: Refusal }, readonly string[]]>([
  ["goes where it was sent", id(101), {}, ["101@0"]],
  ["goes where it leads by now", id(101), { [id(101)]: moved }, ["101@0", "107@1"]],
  ["goes where it began", id(107), { [id(107)]: elsewhere(101) }, ["107@0", "101@0"]],
  [
    "goes on from there, when that is gone by then",
    id(103),
    { [id(103)]: elsewhere(101), [id(101)]: moved },
    ["103@0", "101@0", "107@1"],
  ],
])("a start %s", async (_what, execution, says, way) => {
  const { asked, start } = cells(says);
  const [answer] = await followMoves("t", [plan(execution)], start);
  expect([answer?.ok, asked]).toEqual([true, way]);
});

it("only what has moved is asked for again, and answers keep their places", async () => {
  const other = id(101, "10000000000000000000000000");
  const { asked, start } = cells({ [id(101)]: moved });
  const refused: Result<PlannedStart> = refuse({ code: "invalid_input", message: "no" });
  const answers = await followMoves("t", [plan(other), refused, plan(id(101))], start);
  expect(asked).toEqual(["101@0", "101@0", "107@1"]);
  expect(answers.map((answer) => (answer.ok ? answer.value.state.id : answer.refusal.code))).toEqual([
    other,
    "invalid_input",
    id(107),
  ]);
});

it("one that is sent to and fro may come again later", async () => {
  const { asked, start } = cells({ [id(107)]: elsewhere(101), [id(101)]: elsewhere(107) });
  const [answer] = await followMoves("t", [plan(id(107))], start);
  expect(answer).toMatchObject({ ok: false, refusal: { code: "unavailable", retryAfterS: 1 } });
  expect(asked).toHaveLength(POOL_TRIES_MAX);
});

it("what is refused elsewhere says where that was", async () => {
  const conflict: Refusal = { code: "idempotency_conflict", message: "another body" };
  const { start } = cells({ [id(107)]: elsewhere(101), [id(101)]: conflict });
  const [answer] = await followMoves("t", [plan(id(107))], start);
  expect(answer).toEqual(refuse({ ...conflict, details: { execution: id(101) } }));
});

test.each<[string, string, readonly string[]]>([
  ["the same key in another cell goes on there", id(101), ["107@0", "101@0"]],
  ["another key is refused", id(101, "10000000000000000000000000"), ["107@0"]],
  ["an execution without a key is refused", "exe_ada", ["107@0"]],
])("whose subject is in it already by %s", async (_what, by, way) => {
  const enrolled: Refusal = { code: "already_enrolled", message: "in it", details: { execution: by } };
  const { asked, start } = cells({ [id(107)]: enrolled });
  await followMoves("t", [plan(id(107))], start);
  expect(asked).toEqual(way);
});
