// Tests which executions a bulk operation finds and counts. Pages follow the creation time, which never changes.
import { expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { countMatchingExecutions, findMatchingExecutions, healthOf } from "#catalog/operation-executions.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import type { ExecutionFilter } from "#schema/engine/execution-command.ts";
import { catalog, executionRow, newTenant, NOW, projection } from "#test/support/catalog.ts";

const live: readonly ExecutionStatus[] = ["active", "waiting", "paused"];

async function lists(...rows: readonly Partial<ExecutionRow>[]) {
  const tenant = newTenant();
  const tell = async (...told: readonly Partial<ExecutionRow>[]): Promise<unknown> =>
    applyProjections(catalog(), [projection({ executions: told.map((row) => executionRow({ tenant, ...row })) })]);
  await tell(
    ...rows.map((row, n) => ({ id: `exe_${n}`, createdAt: NOW + n, seq: 1, status: "waiting" as const, ...row })),
  );
  const find = async (meant: ExecutionFilter, limit = 100, statuses = live, cursor: string | null = null) => {
    const found = await findMatchingExecutions(catalog(), tenant, { ...meant, statuses }, cursor, limit);
    if (!found.ok) throw new Error(found.refusal.message);
    return { ids: found.value.found.map(([id]) => id), cursor: found.value.cursor, found: found.value.found };
  };
  const count = (meant: ExecutionFilter, statuses = live) =>
    countMatchingExecutions(catalog(), tenant, { ...meant, statuses });
  return { tenant, tell, find, count };
}

test("an execution that changes status between pages is found exactly once", async () => {
  const { tell, find } = await lists({}, {}, {}, {}, {}, {});
  const first = await find({}, 2);
  expect(first.ids).toEqual(["exe_0", "exe_1"]);
  // Executions before and after the cursor change their status between two pages.
  await tell(
    { id: "exe_0", createdAt: NOW, seq: 2, status: "active" },
    { id: "exe_3", createdAt: NOW + 3, seq: 2, status: "active" },
    { id: "exe_4", createdAt: NOW + 4, seq: 2, status: "paused", updatedAt: NOW + 99 },
  );
  const second = await find({}, 2, live, first.cursor);
  await tell({ id: "exe_4", createdAt: NOW + 4, seq: 3, status: "active" });
  const third = await find({}, 2, live, second.cursor);
  expect([second.ids, third.ids]).toEqual([
    ["exe_2", "exe_3"],
    ["exe_4", "exe_5"],
  ]);
  expect(await find({}, 2, live, third.cursor)).toMatchObject({ ids: [], cursor: null });
});

test.each<[ExecutionFilter, number[]]>([
  [{}, [0, 1, 2, 3, 4]],
  [{ definition: "lease" }, [1, 3]],
  [{ definition: "lease", version: 2 }, [3]],
  [{ definition: "def_01KABCDEFGHJKMNPQRSTVWXYZ0" }, [4]],
  [{ namespace: "eu" }, [2]],
  [{ correlationId: "c-1" }, [2]],
  [{ subject: "couple-1" }, [0]],
  [{ trigger: "trg_1" }, [0]],
  [{ state: "open" }, [1, 2]],
  [{ state: "open.payment" }, [2]],
  [{ createdAfter: NOW + 1, createdBefore: NOW + 3 }, [2]],
])("%j means %j", async (meant, which) => {
  const { find, count } = await lists(
    { subject: "couple-1", triggerId: "trg_1", triggerKind: "webhook" },
    { definitionName: "lease", definitionVersion: 1, states: ["open"], status: "paused" },
    { namespace: "eu", correlationId: "c-1", states: ["left", "open.payment"], status: "active" },
    { definitionName: "lease", definitionVersion: 2, states: ["opened"] },
    { definitionId: "def_01KABCDEFGHJKMNPQRSTVWXYZ0" },
    { status: "completed", finishedAt: NOW + 9 },
    { status: "failed", finishedAt: NOW + 9 },
  );
  expect((await find(meant)).ids).toEqual(which.map((n) => `exe_${n}`));
  expect((await count(meant)).reduce((sum, each) => sum + each.count, 0)).toBe(which.length);
});

test("ended executions are found only if their status is requested; counts name definition, version and status", async () => {
  const { find, count } = await lists({}, { status: "completed" }, { status: "failed" }, { status: "canceled" });
  expect((await find({}, 100, ["completed"])).ids).toEqual(["exe_1"]);
  expect((await find({}, 100, [...live, "failed", "canceled"])).ids).toEqual(["exe_0", "exe_2", "exe_3"]);
  const counted = await count({}, ["failed", "waiting"]);
  const of = { definition: "order", version: 1, count: 1 };
  expect(counted).toEqual([
    { ...of, status: "failed", oldest: NOW + 2, newest: NOW + 2 },
    { ...of, status: "waiting", oldest: NOW, newest: NOW },
  ]);
});

test("health counts failed executions and those in excluded states, without deleted ones", async () => {
  const { tenant, find } = await lists(
    { states: ["fine"] },
    { states: ["broken.twice"] },
    { status: "failed", states: ["fine"] },
    { status: "paused", states: ["waits"] },
  );
  const { found } = await find({}, 100, [...live, "failed"]);
  const asked = [...found, ["exe_gone", NOW] as const];
  expect(await healthOf(catalog(), tenant, asked, [])).toEqual({ looked: 4, failed: 1 });
  expect(await healthOf(catalog(), tenant, asked, ["broken", "waits"])).toEqual({ looked: 4, failed: 3 });
  expect(await healthOf(catalog(), tenant, [], ["broken"])).toEqual({ looked: 0, failed: 0 });
});

test("a cursor of another list is refused", async () => {
  expect(await findMatchingExecutions(catalog(), newTenant(), { statuses: live }, "nonsense", 5)).toMatchObject({
    ok: false,
  });
});
