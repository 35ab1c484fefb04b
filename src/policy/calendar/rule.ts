// Parses the rule of a recurring action. The result is cached as long as the stored rule object is in memory.
import { assert } from "#kernel/assert.ts";
import { parseCron } from "#kernel/calendar/cron.ts";
import type { Rule } from "#kernel/calendar/occurrences.ts";
import { holidaysOf } from "#kernel/calendar/holidays.ts";
import type { FollowedCalendars, RecurringRule, RecurringSpec } from "#schema/recurring/spec.ts";
import { datesOf } from "./follow.ts";

type ParsedRule = { readonly calendars: FollowedCalendars | undefined; readonly rule: Rule };
const parsedRules = new WeakMap<RecurringRule, ParsedRule>();

/**
 * Returns the parsed rule. Throws if the rule was accepted by an earlier version and is invalid for this parser. The
 * caller then sets the status to `error`.
 */
export function ruleOf({ rule: written, calendars }: Pick<RecurringSpec, "rule" | "calendars">): Rule {
  const cached = parsedRules.get(written);
  if (cached !== undefined && cached.calendars === calendars) return cached.rule;
  const parsedCron = parseCron(written.cron);
  assert(parsedCron.ok, `"${written.cron}" must be checked to be a cron expression before it is stored.`);
  const { holidays, ...plain } = written;
  const bare = { ...plain, cron: parsedCron.cron };
  const rule = holidays === undefined ? bare : { ...bare, holidays: holidaysOf(datesOf(calendars), holidays) };
  parsedRules.set(written, { calendars, rule });
  return rule;
}
