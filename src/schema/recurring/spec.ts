// Recurring specs: when, and what to do. Stored with each recurring action as checked.
import type { Fold, Gap } from "../definition/schedule.ts";
import type { WrittenAction } from "../definition/standalone.ts";
import type { JsonObject } from "../json.ts";

/** What happens to an occurrence while the previous one still runs. */
export const overlaps = ["allow", "skip", "buffer_one", "cancel_other"] as const;
export type Overlap = (typeof overlaps)[number];

/** What happens to missed occurrences. */
export const catchUps = ["none", "last", "all"] as const;
export type CatchUp = (typeof catchUps)[number];

export type RecurringRule = {
  readonly cron: string;
  /** As given: an alias is kept. */
  readonly timezone: string;
  readonly gap: Gap;
  readonly fold: Fold;
};

export type RecurringWork =
  | {
      readonly kind: "action";
      readonly provider: string;
      readonly actionType: string;
      /** As written; `action` is derived from it. */
      readonly payload: JsonObject;
      readonly metadata: Metadata;
      readonly dedupKey: string | null;
      readonly action: WrittenAction;
    }
  | {
      readonly kind: "definition";
      /** Name, name@version or id. */
      readonly definition: string;
      /** Their strings may contain {{recurring_id}} and {{execution_time}}. */
      readonly variables: JsonObject;
    };
export type Metadata = { readonly [name: string]: string };

export type RecurringSpec = {
  readonly namespace: string;
  readonly description: string | null;
  readonly labels: Metadata;
  readonly rule: RecurringRule;
  /** Occurrences are at `startsAt` or later, and before `endsAt`. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** Of dispatched ones. */
  readonly maxExecutions: number | null;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  /** Lateness up to this is not missed. */
  readonly graceMs: number;
  readonly catchUpWindowMs: number;
  readonly jitterMs: number;
  readonly work: RecurringWork;
};

export function isSameRule(one: RecurringRule, other: RecurringRule): boolean {
  return one.cron === other.cron && one.timezone === other.timezone && one.gap === other.gap && one.fold === other.fold;
}
