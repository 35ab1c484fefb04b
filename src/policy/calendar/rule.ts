// The parsed rule of a recurring action, cached as long as its stored form is in memory.
import { assert } from "#kernel/assert.ts";
import { parseCron } from "#kernel/calendar/cron.ts";
import type { Rule } from "#kernel/calendar/occurrences.ts";
import type { RecurringRule } from "#schema/recurring/spec.ts";

const parsed = new WeakMap<RecurringRule, Rule>();

/**
 * Throws if the current calendar does not accept a rule that an earlier one accepted; the caller then sets the status.
 */
export function ruleOf(written: RecurringRule): Rule {
  const known = parsed.get(written);
  if (known !== undefined) return known;
  const read = parseCron(written.cron);
  assert(read.ok, `"${written.cron}" was checked to be a cron expression before it was stored.`);
  const rule = { ...written, cron: read.cron };
  parsed.set(written, rule);
  return rule;
}
