// Version changes: the diff of two versions of a definition, one change per place, with the old and new value.
import type { Json } from "../json.ts";

export const changeKinds = ["added", "removed", "changed", "reordered"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Named parts of a definition. `definition`: its own fields. */
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

/** The topic of a change. `whole`: a part as a whole, or the order of several. */
export const aspects = ["whole", "flow", "rule", "text", "timing", "retry", "value", "declaration", "setting"] as const;
export type Aspect = (typeof aspects)[number];

export type VersionChange = {
  readonly kind: ChangeKind;
  readonly part: Part;
  readonly aspect: Aspect;
  /** The place within the part, for people: names, and list positions from 1 on. */
  readonly path: readonly string[];
  /** JSON pointers; null if absent. */
  readonly fromPointer: string | null;
  readonly pointer: string | null;
  /** null also means absent: `kind` says which. */
  readonly was: Json;
  readonly is: Json;
};
