// How definitions are read when two versions of one are compared.
import type { Aspect, PartKind } from "#schema/definition/version-change.ts";

/** How a place of a definition is compared. */
export type Shape =
  /** As one. */
  | { readonly kind: "leaf"; readonly aspect: Aspect }
  /** Down to its last values. What is `text` and holds none is a setting. */
  | { readonly kind: "content"; readonly aspect: Aspect }
  /** `aspect`: of what is written otherwise, such as a text. */
  | { readonly kind: "fields"; readonly fields: Fields; readonly aspect: Aspect }
  /** An object of things by their names; `part` where they are parts. */
  | { readonly kind: "named"; readonly part: PartKind | null; readonly item: () => Shape }
  /** A list of things that have a name of their own in them. */
  | { readonly kind: "keyed"; readonly part: PartKind; readonly key: string; readonly item: Shape }
  /** A list in which places count; `single` where one may stand for a list of it, and what a text stands for then. */
  | { readonly kind: "list"; readonly item: Shape; readonly aspect: Aspect; readonly single?: string };
export type Fields = { readonly [field: string]: Shape };
