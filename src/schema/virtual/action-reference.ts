// References to actions in tests, assumptions and given inputs: an action's id, a journey node's name, the undo step of
// a node (`pay:undo`), or one item of an `each` node by its index (`invite/0`).
import { z } from "zod";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

const SUFFIX_CHARS_MAX = 5;

export const actionReference = z
  .string()
  .max(ID_CHARS_MAX + SUFFIX_CHARS_MAX)
  .regex(/^[A-Za-z][A-Za-z0-9_-]*(:undo|\/(0|[1-9]\d{0,3}))?$/, {
    message: "must be an action's id or a node's name, which :undo or an item's index such as /0 may follow",
  });

/** Splits a reference to an item into the node's name and the index. Null if the reference has no index. */
export function itemReference(reference: string): { readonly node: string; readonly index: string } | null {
  const [, node, index] = /^([^/]+)\/(\d+)$/.exec(reference) ?? [];
  return node === undefined || index === undefined ? null : { node, index };
}
