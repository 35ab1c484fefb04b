// What a history says of other executions: the one that this goes on from, and those that it has started.
import type { ChildRequestResult } from "../engine/child.ts";
import type { Actor } from "../engine/input.ts";
import type { JsonObject } from "../json.ts";
import type { Outcome } from "../engine/outcome.ts";
import type { MadeEffect, Place } from "./restart.ts";

/** `execution`: null where it is not known whether there is one. */
export type NamedChild = { readonly run: string; readonly action: string; readonly execution: string | null };

export type FamilyEntry =
  | {
      readonly kind: "started";
      readonly definition: string;
      readonly variables: JsonObject;
      readonly actor: Actor;
      /** Where it goes on from another one: which, where, and why. */
      readonly restartOf?: string;
      readonly place?: Place;
      readonly reason?: string | null;
    }
  /** The earlier execution `of` which it goes on has done it: it came to this then, and counts as done. */
  | {
      readonly kind: "run_passed_over";
      readonly run: string;
      readonly action: string;
      readonly of: { readonly execution: string; readonly run: string };
      readonly outcome: Outcome;
      readonly heard?: NonNullable<MadeEffect["heard"]>;
    }
  /** It is over but for children that it waits for, and ends `as` that when they have. */
  | {
      readonly kind: "ending";
      readonly as: "canceled" | "failed";
      readonly actor: Actor;
      readonly reason: string | null;
      readonly children: readonly NamedChild[];
    }
  /** They are canceled with it: that is owed until it is known of each. */
  | { readonly kind: "children_stopped"; readonly reason: string; readonly children: readonly NamedChild[] }
  /** They go on without it. */
  | { readonly kind: "children_left"; readonly reason: string; readonly children: readonly NamedChild[] }
  /** What became of one that was canceled, or looked for. */
  | ({ readonly kind: "child_settled"; readonly found: ChildRequestResult["found"] } & NamedChild);
