// Version changes: the differences of two versions of a definition. Each has its location in the definition, the old
// value and the new value.
import type { Json } from "../json.ts";

export const changeKinds = ["added", "removed", "changed", "reordered"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The kinds of parts of a definition. `definition`: the definition's own fields, outside of all other parts. */
export const partKinds = [
  "definition",
  "variable",
  "event",
  "delay",
  "window",
  "cap",
  "state",
  "node",
  "action",
  "default",
  "test",
  "template",
] as const;
export type PartKind = (typeof partKinds)[number];
export type Part = { readonly kind: PartKind; readonly name: string | null };

/** The aspects of a change. `whole`: a part was added, removed or moved as a whole. */
export const aspects = ["whole", "flow", "rule", "text", "timing", "retry", "value", "declaration", "setting"] as const;
export type Aspect = (typeof aspects)[number];

export type VersionChange = {
  readonly kind: ChangeKind;
  readonly part: Part;
  readonly aspect: Aspect;
  /** The location of the change within the part, in words for people. List positions count from 1. */
  readonly path: readonly string[];
  /**
   * JSON pointers to the changed value in the old version and in the new version; null if that version has no such
   * value.
   */
  readonly fromPointer: string | null;
  readonly pointer: string | null;
  /** The old and the new value. null may be a value or mean that the value is absent: `kind` distinguishes both. */
  readonly was: Json;
  readonly is: Json;
};
