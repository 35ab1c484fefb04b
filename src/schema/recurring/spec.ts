// What somebody asked to recur: when, and what then. Stored with each recurring action as it was checked.
import type { Fold, Gap } from "../definition/schedule.ts";
import type { WrittenAction } from "../definition/standalone.ts";
import type { JsonObject } from "../json.ts";

/** What becomes of an occurrence while the one before still runs. */
export const overlaps = ["allow", "skip", "buffer_one", "cancel_other"] as const;
export type Overlap = (typeof overlaps)[number];

/** What becomes of occurrences that nobody was there for. */
export const catchUps = ["none", "last", "all"] as const;
export type CatchUp = (typeof catchUps)[number];

export type RecurringRule = {
  readonly cron: string;
  /** As it was given: an alias stays one. */
  readonly timezone: string;
  readonly gap: Gap;
  readonly fold: Fold;
};

export type RecurringWork =
  | {
      readonly kind: "action";
      readonly provider: string;
      readonly actionType: string;
      /** As it was written; `action` is what was made of it. */
      readonly payload: JsonObject;
      readonly metadata: Metadata;
      readonly dedupKey: string | null;
      readonly action: WrittenAction;
    }
  | {
      readonly kind: "definition";
      /** Name, name@version or id. */
      readonly definition: string;
      /** Their strings may hold {{recurring_id}} and {{execution_time}}. */
      readonly variables: JsonObject;
    };
export type Metadata = { readonly [name: string]: string };

export type RecurringSpec = {
  readonly namespace: string;
  readonly description: string | null;
  readonly labels: Metadata;
  readonly rule: RecurringRule;
  /** Occurrences lie at `startsAt` or later, and before `endsAt`. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** Of those that were dispatched. */
  readonly maxExecutions: number | null;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  /** So late is not missed. */
  readonly graceMs: number;
  readonly catchUpWindowMs: number;
  readonly jitterMs: number;
  readonly work: RecurringWork;
};

export function isSameRule(one: RecurringRule, other: RecurringRule): boolean {
  return one.cron === other.cron && one.timezone === other.timezone && one.gap === other.gap && one.fold === other.fold;
}
