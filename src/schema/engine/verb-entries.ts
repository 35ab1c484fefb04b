// Journal entries of operators' verbs on one run, node, timer or wait.
import type { Actor } from "./input.ts";
import type { Json } from "../json.ts";

type ByPerson = { readonly actor: Actor; readonly reason: string | null };

export type VerbEntry =
  /** An operator made one of the three due now: a run, a timer, or an action without a run. */
  | ({
      readonly kind: "run_brought_forward";
      readonly run?: string;
      readonly timer?: string;
      readonly action?: string;
    } & ByPerson)
  /** An operator skipped a node or a run. If `result` is set, it counts as done with this result. */
  | ({
      readonly kind: "skipped_by_operator";
      readonly node?: string;
      readonly run?: string;
      readonly action?: string;
      readonly result?: Json;
    } & ByPerson)
  /** An operator gave up an action. If `result` is set, the run counts as done with this result. */
  | ({
      readonly kind: "action_canceled";
      readonly run: string;
      readonly action: string;
      readonly result?: Json;
    } & ByPerson)
  | ({
      readonly kind: "rescheduled";
      readonly timer?: string;
      readonly run?: string;
      readonly from: number | null;
      readonly to: number;
    } & ByPerson)
  | ({ readonly kind: "held_by_operator"; readonly run: string; readonly action: string } & ByPerson)
  | ({
      readonly kind: "released";
      readonly run: string;
      readonly action: string;
      readonly dueAt: number | null;
    } & ByPerson)
  /** An operator ended a wait as if the event `as` had arrived. */
  | ({
      readonly kind: "completed_by_operator";
      readonly node?: string;
      readonly run?: string;
      readonly as: string;
      readonly payload: Json;
    } & ByPerson);
