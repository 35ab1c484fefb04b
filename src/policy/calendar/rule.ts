// Parses the rule of a recurring action. The result is cached as long as the stored rule object is in memory.
import { assert } from "#kernel/assert.ts";
import { parseCron } from "#kernel/calendar/cron.ts";
import type { Rule } from "#kernel/calendar/occurrences.ts";
import type { RecurringRule } from "#schema/recurring/spec.ts";

const parsedRules = new WeakMap<RecurringRule, Rule>();

/**
 * Returns the parsed rule. Throws if the rule was accepted by an earlier version and is invalid for this parser. The
 * caller then sets the status to `error`.
 */
export function ruleOf(written: RecurringRule): Rule {
  const cached = parsedRules.get(written);
  if (cached !== undefined) return cached;
  const parsedCron = parseCron(written.cron);
  assert(parsedCron.ok, `"${written.cron}" must be checked to be a cron expression before it is stored.`);
  const rule = { ...written, cron: parsedCron.cron };
  parsedRules.set(written, rule);
  return rule;
}
