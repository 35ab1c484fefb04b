// Version changes: the differences of two versions of a definition, each with its place, old value and new value.
import type { Json } from "../json.ts";

export const changeKinds = ["added", "removed", "changed", "reordered"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The kinds of parts of a definition. `definition` means its own fields. */
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
  /** The place within the part, in words for people. List positions count from 1. */
  readonly path: readonly string[];
  /** JSON pointers into the old and the new version; null if the value is absent there. */
  readonly fromPointer: string | null;
  readonly pointer: string | null;
  /** The old and the new value. null also means absent: `kind` distinguishes both. */
  readonly was: Json;
  readonly is: Json;
};
