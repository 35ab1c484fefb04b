// Recurring specs: the schedule and the work of a recurring action. They were checked before they were stored.
import { z } from "zod";
import { isIdOf } from "../ids.ts";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";
import type { Calendars, WrittenHolidays } from "../definition/holidays.ts";
import type { Fold, Gap } from "../definition/schedule.ts";
import type { WrittenAction } from "../definition/standalone.ts";
import type { JsonObject } from "../json.ts";
import type { ActionSettings } from "./action-settings.ts";

/** The handling of a due occurrence if the execution of the previous occurrence still runs. */
export const overlaps = ["allow", "skip", "buffer_one", "cancel_other"] as const;
export type Overlap = (typeof overlaps)[number];

/** The handling of missed occurrences. */
export const catchUps = ["none", "last", "all"] as const;
export type CatchUp = (typeof catchUps)[number];

export type RecurringRule = {
  readonly cron: string;
  /**
   * The name of the time zone as the client wrote it. If it is an alias, it is not replaced by the zone's main name.
   */
  readonly timezone: string;
  readonly gap: Gap;
  readonly fold: Fold;
  /** The effect of a calendar's dates on the occurrences. Absent: none. */
  readonly holidays?: WrittenHolidays;
};

/**
 * The dates of a calendar that a recurring action follows. `since`: when the calendar was changed to these dates (epoch
 * ms). The dates with the latest `since` apply.
 */
export type FollowedCalendar = { readonly since: number; readonly dates: Calendars[string] };
export type FollowedCalendars = { readonly [name: string]: FollowedCalendar };

export type RecurringWork =
  | {
      readonly kind: "action";
      readonly provider: string;
      readonly actionType: string;
      /** The payload as the client wrote it. `action` is derived from it. */
      readonly payload: JsonObject;
      readonly metadata: Metadata;
      readonly dedupKey: string | null;
      /** The further fields of `action`, as the client wrote them. Absent if there are none. */
      readonly settings?: ActionSettings;
      readonly action: WrittenAction;
    }
  | {
      readonly kind: "definition";
      /** Name, name@version or id of the definition. */
      readonly definition: string;
      /** The variables of each execution. Their texts are templates that can read `recurring_id` and `execution_time`. */
      readonly variables: JsonObject;
    };
export type Metadata = { readonly [name: string]: string };

/** The name of a recurring action. It must not look like an id of this engine, or like a UUID. */
export const recurringName = z
  .string()
  .max(ID_CHARS_MAX)
  .regex(/^[a-z][a-z0-9_-]*$/, {
    message: "must begin with a lower-case letter and contain only lower-case letters, digits, _ and -",
  })
  .refine((name) => !isIdOf("rec", name), { message: "must not begin with rec_, which is reserved for ids" })
  .refine((name) => !UUID.test(name), { message: "must not be a UUID" });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type RecurringSpec = {
  /** The name, which is unique in the tenant and never changes. Absent: the recurring action has no name. */
  readonly name?: string;
  readonly namespace: string;
  readonly description: string | null;
  readonly labels: Metadata;
  readonly rule: RecurringRule;
  /** Occurrences are at or after this time (epoch ms), and before `endsAt`. Null: no limit. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  /** The maximum number of dispatched occurrences. Null: no limit. */
  readonly maxExecutions: number | null;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  /** If an occurrence is later than this, in ms, it counts as missed. */
  readonly graceMs: number;
  readonly catchUpWindowMs: number;
  readonly jitterMs: number;
  readonly work: RecurringWork;
  /** The dates of the calendars that the rule and the action's window name. Absent if they name none. */
  readonly calendars?: FollowedCalendars;
};

export function isSameRule(one: RecurringRule, other: RecurringRule): boolean {
  return (
    one.cron === other.cron &&
    one.timezone === other.timezone &&
    one.gap === other.gap &&
    one.fold === other.fold &&
    one.holidays?.calendar === other.holidays?.calendar &&
    one.holidays?.move === other.holidays?.move
  );
}
