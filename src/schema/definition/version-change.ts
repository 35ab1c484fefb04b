// What two versions of a definition differ in: one change a place, each with what it was and what it is.
import type { Json } from "../json.ts";

export const changeKinds = ["added", "removed", "changed", "reordered"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What parts of a definition go by a name. `definition`: what it says of itself. */
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

/** What a change is about. `whole`: a part as such, or the order of several. */
export const aspects = ["whole", "flow", "rule", "text", "timing", "retry", "value", "declaration", "setting"] as const;
export type Aspect = (typeof aspects)[number];

export type VersionChange = {
  readonly kind: ChangeKind;
  readonly part: Part;
  readonly aspect: Aspect;
  /** Where in the part, for people: names, and places in lists from 1 on. */
  readonly path: readonly string[];
  /** JSON pointers; null where there is nothing. */
  readonly fromPointer: string | null;
  readonly pointer: string | null;
  /** null also stands for nothing: `kind` says which. */
  readonly was: Json;
  readonly is: Json;
};
