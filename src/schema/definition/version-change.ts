// Version changes: the differences between two versions of a definition. Each has its location, the old value and the
// new value.
import type { Json } from "../json.ts";

export const changeKinds = ["added", "removed", "changed", "reordered"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The kinds of parts that a definition has. `definition`: fields of the definition that belong to no other part. */
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

/** What a change is about. `whole`: a whole part was added, removed or moved. */
export const aspects = ["whole", "flow", "rule", "text", "timing", "retry", "value", "declaration", "setting"] as const;
export type Aspect = (typeof aspects)[number];

export type VersionChange = {
  readonly kind: ChangeKind;
  readonly part: Part;
  readonly aspect: Aspect;
  /** The location of the change within its part, in words for people. List positions count from 1. */
  readonly path: readonly string[];
  /**
   * The JSON pointer to the changed value in the old version. `pointer`: in the new version. Null if that version
   * does not contain the value.
   */
  readonly fromPointer: string | null;
  readonly pointer: string | null;
  /**
   * The old value, and in `is` the new value. Null may be a JSON value or mean that the value is absent; `kind` says
   * which.
   */
  readonly was: Json;
  readonly is: Json;
};
