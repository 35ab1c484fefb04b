// Journal entries about other executions: the one that this continues, and its children.
import type { ChildRequestResult } from "../engine/child.ts";
import type { Actor } from "../engine/input.ts";
import type { JsonObject } from "../json.ts";
import type { Outcome } from "../engine/outcome.ts";
import type { ReusableResult, RestartPoint } from "./restart.ts";

/** `execution`: null if it is unknown whether there is one. */
export type NamedChild = { readonly run: string; readonly action: string; readonly execution: string | null };

export type FamilyEntry =
  | {
      readonly kind: "started";
      readonly definition: string;
      readonly variables: JsonObject;
      readonly actor: Actor;
      /** The execution that it continues, where, and why. */
      readonly restartOf?: string;
      readonly place?: RestartPoint;
      readonly reason?: string | null;
    }
  /** The earlier execution `of` has done it with this result, so it counts as done. */
  | {
      readonly kind: "run_passed_over";
      readonly run: string;
      readonly action: string;
      readonly of: { readonly execution: string; readonly run: string };
      readonly outcome: Outcome;
      readonly heard?: NonNullable<ReusableResult["heard"]>;
    }
  /** It has ended except for children that it waits for, and ends `as` that afterwards. */
  | {
      readonly kind: "ending";
      readonly as: "canceled" | "failed";
      readonly actor: Actor;
      readonly reason: string | null;
      readonly children: readonly NamedChild[];
    }
  /** They are canceled with it: requests are repeated until each is confirmed. */
  | { readonly kind: "children_stopped"; readonly reason: string; readonly children: readonly NamedChild[] }
  /** They continue without it. */
  | { readonly kind: "children_left"; readonly reason: string; readonly children: readonly NamedChild[] }
  /** The result of a cancellation, or of a check. */
  | ({ readonly kind: "child_settled"; readonly found: ChildRequestResult["found"] } & NamedChild);
