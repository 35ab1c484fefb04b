// Execution trees: an execution with its ancestors and descendants. Each node is read from its own cell, so its state
// is current. The catalog adds children that their parents no longer store. If the catalog does not answer, `isWhole`
// is false.
import { childExecutions } from "#catalog/executions.ts";
import { decodeCursor, encodeCursor } from "#catalog/page.ts";
import { STARTING_TYPE } from "#schema/engine/child.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { TREE_DEPTH_MAX } from "#schema/limits/executions.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { z } from "zod";
import { cellName } from "../../cells/ids-and-cells.ts";
import { callWithRetry } from "../../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../../deps.ts";
import { retiredRow } from "../executions.ts";

/**
 * One execution of the tree. `found` is the state that its object returned. If the object returned none, `found` is the
 * catalog's row.
 */
export type TreeNode = {
  readonly id: string;
  readonly parent: string | null;
  /** The distance from the requested execution, whose depth is 0. */
  readonly depth: number;
  readonly found: { readonly state: ExecutionState } | { readonly row: ExecutionRow };
  /**
   * True: the node is at the maximum depth, so its children are left out. A request for the tree of this node returns
   * them.
   */
  readonly isCut: boolean;
};

export type ExecutionTree = {
  /** The ancestors of the requested execution, the outermost first. */
  readonly above: readonly TreeNode[];
  /** The requested execution and its descendants; each node comes before its children. */
  readonly data: readonly TreeNode[];
  readonly nextCursor: string | null;
  /** False: the catalog did not answer, so children that their parents no longer store may be missing. */
  readonly isWhole: boolean;
};

type TreeRequest = { readonly execution: string; readonly cursor: string | null; readonly limit: number };
type TreeDeps = Pick<Deps, "db" | "cell" | "log">;

type Walk = {
  readonly deps: TreeDeps;
  readonly tenant: string;
  readonly limit: number;
  readonly data: TreeNode[];
  /** The path of ids from the requested execution to the last node of the page. */
  last: readonly string[];
  hasMore: boolean;
  isWhole: boolean;
};

export async function executionTree(
  deps: Deps,
  { tenant }: TenantCaller,
  { execution, cursor, limit }: TreeRequest,
): Promise<Result<ExecutionTree>> {
  const after = decodeCursor(cursor, z.array(z.string()).max(TREE_DEPTH_MAX));
  if (!after.ok) return after;
  const root = await findRoot(deps, tenant, execution);
  if (!root.ok) return root;
  const walk: Walk = { deps, tenant, limit, data: [], last: [], hasMore: false, isWhole: true };
  await visit(walk, root.value, [], after.value);
  return accept({
    above: after.value === null ? await ancestorsOf(deps, tenant, root.value) : [],
    data: walk.data,
    nextCursor: walk.hasMore ? encodeCursor(walk.last) : null,
    isWhole: walk.isWhole,
  });
}

async function findRoot(deps: Deps, tenant: string, id: string): Promise<Result<TreeNode>> {
  const read = await readNodeState(deps, tenant, id);
  if (read.ok) return accept(nodeOf({ state: read.value }, 0));
  const row = read.refusal.code === "not_found" ? await retiredRow(deps, tenant, id) : null;
  return row === null || row.erasedAt ? read : accept(nodeOf({ row }, 0));
}

/**
 * Visits the tree depth first. `after` is the path from this node to the last node of the previous page; null if no
 * node of this subtree was on that page. Returns true when the page is full.
 */
async function visit(
  walk: Walk,
  node: TreeNode,
  path: readonly string[],
  after: readonly string[] | null,
): Promise<boolean> {
  if (after === null) {
    walk.hasMore = walk.data.length >= walk.limit;
    if (walk.hasMore) return true;
    walk.data.push(node);
    walk.last = path;
  }
  if (node.isCut) return false;
  const [firstId, ...rest] = after ?? [];
  for (const child of await childrenOf(walk, node, firstId ?? "")) {
    if (await visit(walk, child, [...path, child.id], child.id === firstId ? rest : null)) return true;
  }
  return false;
}

/**
 * Returns the node's children in the order of their ids, from `firstId` on ("" means from the first). It returns the
 * last child of the previous page again, as many children as fit into this page, and one more to detect a next page.
 */
async function childrenOf(walk: Walk, node: TreeNode, firstId: string): Promise<readonly TreeNode[]> {
  const { deps, tenant } = walk;
  const rowsMax = walk.limit - walk.data.length + 2;
  const rows = await childrenFromCatalog(walk, node.id, firstId, rowsMax);
  const storedIds = "state" in node.found ? childIdsIn(node.found.state).filter((id) => id >= firstId) : [];
  const ids = [...new Set([...rows.map(({ id }) => id), ...storedIds])].toSorted().slice(0, rowsMax);
  const found = await Promise.all(
    ids.map(async (id): Promise<readonly TreeNode[]> => {
      const read = await readNodeState(deps, tenant, id);
      const row = rows.findLast((each) => each.id === id);
      if (read.ok && isStartedBy(read.value, node)) return [nodeOf({ state: read.value }, node.depth + 1, node.id)];
      return row ? [nodeOf({ row }, node.depth + 1, node.id)] : [];
    }),
  );
  return found.flat();
}

/**
 * False if a later execution reused the child's id and has another parent. An execution that no parent waits for may
 * have no stored parent.
 */
function isStartedBy({ parent }: ExecutionState, { id }: TreeNode): boolean {
  return parent === undefined || parent.execution === id;
}

async function childrenFromCatalog(
  walk: Walk,
  parent: string,
  firstId: string,
  rowsMax: number,
): Promise<readonly ExecutionRow[]> {
  const { deps, tenant } = walk;
  try {
    return await childExecutions(deps.db, tenant, parent, firstId, rowsMax);
  } catch (fault) {
    deps.log({ level: "warn", event: "children_not_listed", execution: parent, message: String(fault) });
    walk.isWhole = false;
    return [];
  }
}

/**
 * Returns the ids of the children that the state still stores: those that have not ended, and those that a stored run
 * started.
 */
function childIdsIn({ children, runs }: ExecutionState): readonly string[] {
  const liveIds = (children ?? []).map(({ execution }) => execution);
  const startedIds = runs.map(({ type, result }) => (type === STARTING_TYPE ? executionIn(result) : null));
  return [...liveIds, ...startedIds].filter((id) => id !== null);
}

const startResult = z.object({ execution: z.string() });

function executionIn(result: unknown): string | null {
  const parsed = startResult.safeParse(result);
  return parsed.success ? parsed.data.execution : null;
}

async function ancestorsOf(deps: Deps, tenant: string, root: TreeNode): Promise<readonly TreeNode[]> {
  const above: TreeNode[] = [];
  let parent = root.parent;
  while (parent !== null && above.length < TREE_DEPTH_MAX) {
    const found = await findRoot(deps, tenant, parent);
    if (!found.ok) break;
    above.unshift({ ...found.value, depth: -above.length - 1, isCut: false });
    parent = found.value.parent;
  }
  return above;
}

function readNodeState({ cell }: Pick<Deps, "cell">, tenant: string, id: string): Promise<Result<ExecutionState>> {
  return callWithRetry(() => cell(cellName(tenant, id)).read(id)).then((answer) => (answer.ok ? answer.value : answer));
}

function nodeOf(found: TreeNode["found"], depth: number, parentId?: string): TreeNode {
  const isCut = depth >= TREE_DEPTH_MAX;
  if ("row" in found) return { id: found.row.id, parent: parentId ?? found.row.parent ?? null, depth, found, isCut };
  const { id, parent } = found.state;
  return { id, parent: parentId ?? parent?.execution ?? null, depth, found, isCut };
}
