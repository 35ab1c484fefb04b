// The types of the rules by which two versions of a definition are compared. shapes.ts contains the rules.
import type { Aspect, PartKind } from "#schema/definition/version-change.ts";

/** How the two values at a place of a definition are compared. */
export type Shape =
  /** Compares the value as a whole. */
  | { readonly kind: "leaf"; readonly aspect: Aspect }
  /** Compares the value down to its scalars. A scalar that is not a text has the aspect `setting`. */
  | { readonly kind: "content"; readonly aspect: Aspect }
  /** Compares an object field by field. `aspect`: the aspect of a value that is not an object, such as a text. */
  | { readonly kind: "fields"; readonly fields: Fields; readonly aspect: Aspect }
  /**
   * Compares an object of named items by name. `part`: the kind of part that each item is; null if the items are not
   * parts.
   */
  | { readonly kind: "named"; readonly part: PartKind | null; readonly item: () => Shape }
  /** Compares a list of items by the name that each item contains in its field `key`. */
  | { readonly kind: "keyed"; readonly part: PartKind; readonly key: string; readonly item: Shape }
  /**
   * Compares a list by position. `single`: the definition may write one item instead of a list, and a text instead of
   * an object with this field.
   */
  | { readonly kind: "list"; readonly item: Shape; readonly aspect: Aspect; readonly single?: string };
export type Fields = { readonly [field: string]: Shape };
