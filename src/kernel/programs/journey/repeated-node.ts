// A repeated node: runs its action once per item of a list, or a fixed number of times. The list is copied when the
// node is reached. The node's mark stores the index of the next item and counts. For other nodes it is one node with
// one end.
import { defaults } from "#schema/defaults.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { NodeMark, Repeating } from "#schema/engine/state.ts";
import type { Json } from "#schema/json.ts";
import { EACH_BYTES_MAX, EACH_ITEMS_MAX } from "#schema/limits/definition-sizes.ts";
import { assert } from "../../assert.ts";
import { fault } from "../../computing/fault.ts";
import { byteLength } from "../../language/json-values.ts";
import { BYTES_PER_UNIT, charge } from "../../computing/work.ts";
import {
  isRuleTrue,
  isOpenFailure,
  markOf,
  putMark,
  resultFields,
  recordWay,
  valueOf,
  type Draft,
} from "./move-draft.ts";
import {
  everyTimer,
  expressionOf,
  NEXT,
  passedOverEvent,
  nodePointer,
  type Kind,
  type PlanNode,
} from "./journey-plan.ts";
import { archivedReason, exhaust, failNode, reopenNode, type RunResult } from "./failed-node.ts";
import { endNode } from "./tokens.ts";

type RepeatedKind = Extract<Kind, { readonly kind: "each" }>;

export function beginRepeatedNode(draft: Draft, node: PlanNode, is: RepeatedKind, planned: number): void {
  const frozen = copyItems(draft, node.name, is);
  const each: Repeating = { ...frozen, begun: 0, done: 0, skipped: 0, failed: [] };
  putMark(draft, node.name, { ...markOf(draft, node.name), each });
  draft.mayDropKept = true;
  if (draft.kept.some((message) => isEndingEvent(draft, node.name, is, message))) return endEarly(draft, node);
  if (endRepeatIfRuleTrue(draft, node, is)) return;
  startNextItems(draft, node, is, planned);
}

function copyItems(
  draft: Draft,
  name: string,
  { node: { over, times = 0 } }: RepeatedKind,
): Pick<Repeating, "of" | "items"> {
  if (over === undefined) return { of: times };
  const where = `${nodePointer(name)}/over`;
  const items = valueOf(draft, over, where);
  if (!Array.isArray(items)) throw fault("not_a_list", `${where}: the value is not a list`);
  if (items.length > EACH_ITEMS_MAX) {
    throw fault(
      "list_too_long",
      `${where}: the list has ${items.length} items; the limit is ${EACH_ITEMS_MAX} (EACH_ITEMS_MAX)`,
    );
  }
  const bytes = byteLength(JSON.stringify(items));
  charge(draft.work, bytes / BYTES_PER_UNIT);
  if (bytes > EACH_BYTES_MAX) {
    throw fault(
      "list_too_large",
      `${where}: the list takes ${bytes} bytes; the limit is ${EACH_BYTES_MAX} (EACH_BYTES_MAX)`,
    );
  }
  return { of: items.length, items };
}

/** Starts as many items as there are free slots. If the node has an interval (`every`), starts one item. */
export function startNextItems(draft: Draft, node: PlanNode, { node: { every } }: RepeatedKind, planned: number): void {
  const { name } = node;
  const mark = markOf(draft, name);
  const each = cursorOf(mark);
  if (endedItems(each) === each.of) return endNode(draft, node, { status: "done", way: NEXT, planned });
  const slots = every === undefined ? (draft.plan.definition.concurrency ?? defaults.concurrency) : 1;
  const open = slots - (each.begun - endedItems(each));
  const begun = Math.min(each.of, each.begun + Math.max(0, open));
  for (let index = each.begun; index < begun; index += 1) {
    const given = each.items === undefined ? { index } : { index, item: each.items[index] as Json }; // The index is below `of`, the number of items, so the item exists.
    draft.commands.push({ kind: "act", action: name, state: name, from: planned, given });
  }
  putMark(draft, name, { ...mark, each: { ...each, begun } });
}

function endedItems({ done, skipped, failed }: Repeating): number {
  return done + skipped + failed.length;
}

/** Applies the result of one item's run. Returns false if the result has no effect any more. */
export function applyItemResult(draft: Draft, node: PlanNode, is: RepeatedKind, result: RunResult): boolean {
  const mark = markOf(draft, node.name);
  if (mark.status !== "waiting" && !isOpenFailure(mark)) return false;
  const { planned } = draft.at;
  const { every, tolerate = 0 } = is.node;
  const { index } = resultFields(draft);
  const before = cursorOf(mark);
  const each = countResult(before, index, result);
  if (result === "archived") {
    // The node tolerates this failure and has continued. If an operator archives the failure, nothing changes.
    if (mark.status === "waiting") return false;
    endNode(draft, node, { status: "failed", way: null, planned, reason: archivedReason(draft) });
    return true;
  }
  putMark(draft, node.name, { ...mark, each });
  if (each.failed.length > tolerate) {
    // Items in progress are not canceled. If the node has no edge for failures, it starts no further item until an
    // operator decides.
    if (mark.status === "waiting") failNode(draft, node, planned);
    else exhaust(draft);
    return true;
  }
  if (mark.status === "failed") reopenNode(draft, node, markOf(draft, node.name));
  // An operator has retried a failure that the node tolerated. The node has already continued with the next item, so no
  // item is started here.
  else if (every !== undefined && before.failed.includes(index)) return true;
  if (endedItems(each) === each.of || every === undefined) startNextItems(draft, node, is, planned);
  else armNextItem(draft, node, every, planned);
  return true;
}

function countResult(each: Repeating, index: number, result: RunResult): Repeating {
  const failed = each.failed.filter((known) => known !== index);
  switch (result) {
    case "ok":
      return { ...each, failed, done: each.done + 1 };
    case "skipped":
      return { ...each, failed, skipped: each.skipped + 1 };
    case "failed":
      return { ...each, failed: [...failed, index] };
    case "archived":
      return each;
  }
}

function armNextItem(draft: Draft, { name }: PlanNode, every: Delay, from: number): void {
  const [timer, expression] = [everyTimer(name), expressionOf(every, name)];
  draft.commands.push({ kind: "arm", timer, state: name, expression, from, onSkip: passedOverEvent(name) });
}

/** Ends the node early if the event is the one that its settings name. Returns true if the node has ended. */
export function endIfEventAllows(draft: Draft, node: PlanNode, is: RepeatedKind, message: EventMessage): boolean {
  if (!isEndingEvent(draft, node.name, is, message)) return false;
  endEarly(draft, node);
  return true;
}

/** Ends the node early if its `until` rule is true now. Returns true if the node has ended. */
export function endRepeatIfRuleTrue(draft: Draft, node: PlanNode, { node: { until } }: RepeatedKind): boolean {
  if (until?.when === undefined || !isRuleTrue(draft, until.when, `${nodePointer(node.name)}/until/when`)) return false;
  endEarly(draft, node);
  return true;
}

function isEndingEvent(draft: Draft, name: string, { node: { until } }: RepeatedKind, message: EventMessage): boolean {
  if (until?.event !== message.type) return false;
  return until.guard === undefined || isRuleTrue(draft, until.guard, `${nodePointer(name)}/until/guard`, message);
}

export function endEarly(draft: Draft, node: PlanNode): void {
  recordWay(draft, node.name, "until");
  endNode(draft, node, { status: "done", way: NEXT, planned: draft.at.now });
}

function cursorOf({ each }: NodeMark): Repeating {
  assert(each, "the items of a repeated node must be counted when the node is reached");
  return each;
}
