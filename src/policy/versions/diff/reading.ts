// Reading rules for definitions, used to compare two versions.
import type { Aspect, PartKind } from "#schema/definition/version-change.ts";

/** How a place of a definition is compared. */
export type Shape =
  /** Compared as a whole. */
  | { readonly kind: "leaf"; readonly aspect: Aspect }
  /** Compared down to its values. A value without text is a setting. */
  | { readonly kind: "content"; readonly aspect: Aspect }
  /** `aspect`: for another form of the value, such as a text. */
  | { readonly kind: "fields"; readonly fields: Fields; readonly aspect: Aspect }
  /** An object of named items; `part` if they are parts. */
  | { readonly kind: "named"; readonly part: PartKind | null; readonly item: () => Shape }
  /** A list of items that contain their names. */
  | { readonly kind: "keyed"; readonly part: PartKind; readonly key: string; readonly item: Shape }
  /** A list with significant positions. `single`: one item may replace a list of one; a text may represent an item. */
  | { readonly kind: "list"; readonly item: Shape; readonly aspect: Aspect; readonly single?: string };
export type Fields = { readonly [field: string]: Shape };
