// Execution trees if the catalog lags, does not answer, or is the only source left; and with reused ids.
import { expect, test } from "vitest";
import { applyProjections } from "#catalog/projections/projections.ts";
import { openDb } from "#catalog/db.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { TREE_DEPTH_MAX } from "#schema/limits/executions.ts";
import { accept, refuse } from "#schema/refusal.ts";
import { executionTree } from "#services/executions/children/execution-tree.ts";
import {
  absentCell,
  brokenBinding,
  callerOf,
  catalog,
  executionRow,
  newTenant,
  NOW,
  projection,
  world,
} from "#test/support/catalog.ts";

type Known = { readonly parent?: string; readonly kids?: readonly string[]; readonly runs?: readonly unknown[] };

const state = (id: string, { parent, kids = [], runs = [] }: Known): ExecutionState =>
  ({
    id,
    status: "waiting",
    createdAt: NOW,
    runs: runs.map((result) => ({ type: "start_execution", result })),
    ...(parent === undefined ? {} : { parent: { execution: parent, run: "1.0", action: "begin" } }),
    children: kids.map((execution) => ({ execution })),
  }) as unknown as ExecutionState; // what is looked at

/** `objects`: those that answer. `rows`: what lists have. */
async function here(
  objects: Readonly<Record<string, Known>>,
  rows: readonly Partial<ExecutionRow>[] = [],
  isOut = false,
) {
  const tenant = newTenant();
  const executions = rows.map((row) => executionRow({ tenant, ...row }));
  if (rows.length > 0) await applyProjections(catalog(), [projection({ executions })]);
  const read = async (id: string) => {
    const known = objects[id];
    return known === undefined ? refuse({ code: "not_found", message: "no" }) : accept(state(id, known));
  };
  const deps = world({ cell: () => ({ ...absentCell, read }), ...(isOut ? { db: openDb(brokenBinding) } : {}) });
  return async (execution: string, cursor: string | null = null, limit = 50) => {
    const answer = await executionTree(deps, callerOf(tenant), { execution, cursor, limit });
    if (!answer.ok) return answer.refusal.code;
    const { above, data, isWhole, nextCursor } = answer.value;
    const said = (each: (typeof data)[number]) => `${each.depth} ${each.id} ${"state" in each.found ? "now" : "lists"}`;
    return { above: above.map(said), data: data.map(said), isWhole, nextCursor };
  };
}

test("children that the catalog does not list yet are read from their parent", async () => {
  const tree = await here({
    exe_a: { kids: ["exe_b"], runs: [{ execution: "exe_c" }, null, { other: 1 }] },
    exe_b: { parent: "exe_a" },
    exe_c: {},
  });
  expect(await tree("exe_a")).toMatchObject({ data: ["0 exe_a now", "1 exe_b now", "1 exe_c now"], isWhole: true });
});

test("children that their parent no longer stores come from the catalog, even if their objects are gone", async () => {
  const rows = [
    { id: "exe_b", parent: "exe_a" },
    { id: "exe_c", parent: "exe_a", status: "completed" as const },
  ];
  const tree = await here({ exe_a: {}, exe_b: { parent: "exe_a" } }, rows);
  expect(await tree("exe_a")).toMatchObject({ data: ["0 exe_a now", "1 exe_b now", "1 exe_c lists"] });
});

test("without the catalog the tree contains what objects store, and is marked as incomplete", async () => {
  const tree = await here({ exe_a: { kids: ["exe_b"] }, exe_b: { parent: "exe_a" } }, [], true);
  expect(await tree("exe_a")).toMatchObject({ data: ["0 exe_a now", "1 exe_b now"], isWhole: false });
});

test("an execution whose object is gone comes from the catalog, with its ancestors", async () => {
  const rows = [
    { id: "exe_a", status: "completed" as const },
    { id: "exe_b", parent: "exe_a", status: "failed" as const },
  ];
  const tree = await here({ exe_c: { parent: "exe_b" } }, rows);
  expect(await tree("exe_b")).toMatchObject({ above: ["-1 exe_a lists"], data: ["0 exe_b lists"] });
  expect(await tree("exe_c")).toMatchObject({ above: ["-2 exe_a lists", "-1 exe_b lists"] });
  expect(await tree("exe_gone")).toBe("not_found");
});

test("an id that another execution uses now is no child", async () => {
  const tree = await here({ exe_a: { kids: ["exe_b", "exe_lost"] }, exe_b: { parent: "exe_other" } });
  expect(await tree("exe_a")).toMatchObject({ data: ["0 exe_a now"] });
});

test("nodes beyond the maximum depth are cut, which their depth shows", async () => {
  const chain = Array.from({ length: TREE_DEPTH_MAX + 5 }, (_, n) => `exe_${String(n).padStart(2, "0")}`);
  const objects = Object.fromEntries(
    chain.map((id, n): [string, Known] => {
      const [parent, kid] = [chain[n - 1], chain[n + 1]];
      return [id, { ...(parent ? { parent } : {}), kids: kid ? [kid] : [] }];
    }),
  );
  const tree = await here(objects);
  const whole = await tree("exe_00");
  expect(whole).toMatchObject({ data: { length: TREE_DEPTH_MAX + 1 }, nextCursor: null });
  expect(await tree(chain.at(-1) ?? "")).toMatchObject({ above: { length: TREE_DEPTH_MAX } });
  // A page that ends at the bottom goes on from there.
  const page = await tree("exe_00", null, TREE_DEPTH_MAX);
  if (typeof page === "string") throw new Error(page);
  expect(await tree("exe_00", page.nextCursor)).toMatchObject({ data: [`${TREE_DEPTH_MAX} exe_32 now`] });
});

test("a child that is deleted before the next page leaves no gap", async () => {
  const kids = ["exe_b", "exe_c", "exe_d"];
  const objects: Record<string, Known> = {
    exe_a: { kids },
    exe_b: { parent: "exe_a" },
    exe_c: { parent: "exe_a" },
    exe_d: { parent: "exe_a" },
  };
  const tree = await here(objects);
  const page = await tree("exe_a", null, 3);
  if (typeof page === "string") throw new Error(page);
  delete objects["exe_c"];
  expect(await tree("exe_a", page.nextCursor)).toMatchObject({ data: ["1 exe_d now"], nextCursor: null });
});
