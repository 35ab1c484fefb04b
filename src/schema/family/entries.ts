// Journal entries about other executions: the execution that this one restarts, and its children.
import type { ChildRequestResult } from "../engine/child.ts";
import type { Actor } from "../engine/input.ts";
import type { JsonObject } from "../json.ts";
import type { Outcome } from "../engine/outcome.ts";
import type { ReusableResult, RestartPoint } from "./restart.ts";

/** A child in a journal entry. `execution` is its id. Null if it is unknown whether the child exists. */
export type NamedChild = { readonly run: string; readonly action: string; readonly execution: string | null };

export type FamilyEntry =
  | {
      readonly kind: "started";
      readonly definition: string;
      readonly variables: JsonObject;
      readonly actor: Actor;
      /**
       * Only for a restart: the id of the earlier execution. The next fields say where this execution continues it, and
       * why.
       */
      readonly restartOf?: string;
      readonly place?: RestartPoint;
      readonly reason?: string | null;
    }
  /** The run was not executed, because the earlier execution `of` had already executed it. Its result is reused. */
  | {
      readonly kind: "run_reused";
      readonly run: string;
      readonly action: string;
      readonly of: { readonly execution: string; readonly run: string };
      readonly outcome: Outcome;
      readonly heard?: NonNullable<ReusableResult["heard"]>;
    }
  /** The execution has ended except for its children. When they have ended, its status becomes `as`. */
  | {
      readonly kind: "ending";
      readonly as: "canceled" | "failed";
      readonly actor: Actor;
      readonly reason: string | null;
      readonly children: readonly NamedChild[];
    }
  /** The execution ends and cancels these children. It repeats each cancellation until the child confirms it. */
  | { readonly kind: "children_stopped"; readonly reason: string; readonly children: readonly NamedChild[] }
  /** The execution has ended. These children continue without it. */
  | { readonly kind: "children_left"; readonly reason: string; readonly children: readonly NamedChild[] }
  /** What a child answered to a cancellation or a check. */
  | ({ readonly kind: "child_settled"; readonly found: ChildRequestResult["found"] } & NamedChild);
