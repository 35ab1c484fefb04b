// Execution tree: API shapes of an execution with its parents and children.
import { z } from "zod";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { executionIdText } from "#schema/ids.ts";
import { TREE_WAITS_MAX } from "#schema/limits/executions.ts";
import { toInstant } from "#schema/values.ts";
import * as value from "#schema/values.ts";
import { presentExecution, presentSummary } from "./present.ts";
import { definitionPin, executionStatus, waiting } from "./shape.ts";

const treeNode = z
  .object({
    execution: executionIdText,
    parent: executionIdText.nullable(),
    depth: z
      .number()
      .int()
      .meta({
        description: "The distance from the requested execution, which has 0. Ancestors have negative numbers.",
      }),
    definition: definitionPin,
    status: executionStatus,
    states: z.array(z.string()),
    startedBy: z
      .object({ run: z.string(), action: z.string(), waits: z.boolean() })
      .nullable()
      .meta({ description: "The parent's run and action; null if unknown or none." }),
    ending: z
      .enum(["canceled", "failed"])
      .nullable()
      .meta({
        description:
          "The status with which the execution ends after its children have ended; null if it does not wait for them.",
      }),
    waitingFor: z.array(waiting).meta({ description: `The first ${TREE_WAITS_MAX} waits.` }),
    wakeAt: value.instant.nullable(),
    reason: z.string().nullable(),
    createdAt: value.instant,
    finishedAt: value.instant.nullable(),
    asOf: z
      .enum(["now", "lists"])
      .meta({
        description:
          "now: the execution was read from its object. lists: it was read from the catalog, because its object is deleted or does not respond.",
      }),
    cut: z
      .boolean()
      .meta({
        description:
          "true: the children are too deep to be listed here. Request the tree of this execution to see them.",
      }),
  })
  .meta({ id: "TreeNode" });

export const executionTree = z
  .object({
    above: z.array(treeNode).meta({ description: "The ancestors, the outermost first. Only on the first page." }),
    data: z.array(treeNode).meta({ description: "The execution and its descendants, parents before children." }),
    nextCursor: z.string().nullable(),
    lists: z
      .enum(["read", "unavailable"])
      .meta({
        description:
          "unavailable: the catalog does not answer, so executions that their parents no longer store may be missing.",
      }),
  })
  .meta({ id: "ExecutionTree" });
export type ApiExecutionTree = z.infer<typeof executionTree>;

type Node = {
  readonly parent: string | null;
  readonly depth: number;
  readonly found: { readonly state: ExecutionState } | { readonly row: ExecutionRow };
  readonly isCut: boolean;
};
type Tree = {
  readonly above: readonly Node[];
  readonly data: readonly Node[];
  readonly nextCursor: string | null;
  readonly isWhole: boolean;
};

export function presentTree({ above, data, nextCursor, isWhole }: Tree): ApiExecutionTree {
  const lists = isWhole ? "read" : "unavailable";
  return { above: above.map(presentNode), data: data.map(presentNode), nextCursor, lists };
}

function presentNode({ parent, depth, found, isCut: cut }: Node): ApiExecutionTree["data"][number] {
  if ("row" in found) {
    const {
      id: execution,
      definition,
      status,
      states,
      reason,
      createdAt,
      finishedAt,
      wakeAt,
    } = presentSummary(found.row);
    const kept = { execution, definition, status, states, reason, createdAt, finishedAt, wakeAt };
    return { ...kept, parent, depth, startedBy: null, ending: null, waitingFor: [], asOf: "lists", cut };
  }
  const { state } = found;
  const whole = presentExecution(state);
  return {
    execution: state.id,
    parent,
    depth,
    definition: whole.definition,
    status: whole.status,
    states: whole.states,
    startedBy: whole.parent ? { run: whole.parent.run, action: whole.parent.action, waits: whole.parent.waits } : null,
    ending: state.ending?.as ?? null,
    waitingFor: whole.waitingFor.slice(0, TREE_WAITS_MAX),
    wakeAt: whole.wakeAt,
    reason: state.reason,
    createdAt: toInstant(state.createdAt),
    finishedAt: toInstant(state.finishedAt),
    asOf: "now",
    cut,
  };
}
