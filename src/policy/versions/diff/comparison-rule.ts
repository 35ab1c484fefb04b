// Types of the rules by which two versions of a definition are compared (shapes.ts).
import type { Aspect, PartKind } from "#schema/definition/version-change.ts";

/** How the values at one place of a definition are compared. */
export type Shape =
  /** The value is compared as a whole. */
  | { readonly kind: "leaf"; readonly aspect: Aspect }
  /** The value is compared down to its scalars. A scalar that is no text has the aspect `setting`. */
  | { readonly kind: "content"; readonly aspect: Aspect }
  /** An object is compared by field. `aspect`: for a value in another form, such as a text. */
  | { readonly kind: "fields"; readonly fields: Fields; readonly aspect: Aspect }
  /**
   * An object of named items is compared by name. `part`: the kind of part that the items are; null if they are none.
   */
  | { readonly kind: "named"; readonly part: PartKind | null; readonly item: () => Shape }
  /** A list of items that contain their names is compared by name. */
  | { readonly kind: "keyed"; readonly part: PartKind; readonly key: string; readonly item: Shape }
  /**
   * A list is compared by position. `single`: one item may replace a list of one, and a text an item with this field.
   */
  | { readonly kind: "list"; readonly item: Shape; readonly aspect: Aspect; readonly single?: string };
export type Fields = { readonly [field: string]: Shape };
